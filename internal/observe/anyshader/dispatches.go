package anyshader

import (
	"context"
	"fmt"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Dispatches is what to run of a shader without an exercise: one pass after the other, all on the
// same buffers.
type Dispatches struct {
	Source    *shader.Source
	Passes    []EntryRun
	Buffers   []*Argument
	Overrides []string

	dashes string // as ShaderRun.Dashes
}

// Compile compiles the entry point of a pass, and fits the buffers to it. With debug, the program
// can be stepped through.
func (d *Dispatches) Compile(pass int, debug bool) (*sim.Program, error) {
	program, err := compile(d.Source, d.Passes[pass].Entry, d.Overrides, debug, d.dashes)
	if err != nil {
		return nil, err
	}
	for _, b := range d.Buffers {
		if err := b.Fit(program); err != nil {
			return nil, err
		}
	}
	return program, nil
}

// Bind binds the buffers to a pass, as they are now. nothing says why no workgroup runs, as for
// Counts.
func (d *Dispatches) Bind(pass int, program *sim.Program) (bound *sim.BoundProgram, nothing *findings.Finding, err error) {
	bound = &sim.BoundProgram{Program: program}
	for _, b := range d.Buffers {
		bound.Buffers = append(bound.Buffers, b.Bound())
	}
	bound.Workgroups, nothing, err = d.Passes[pass].Counts(program, d.Buffers)
	return bound, nothing, err
}

// Prepare compiles a pass and binds the buffers to it.
func (d *Dispatches) Prepare(pass int, debug bool) (*sim.BoundProgram, *findings.Finding, error) {
	program, err := d.Compile(pass, debug)
	if err != nil {
		return nil, nil, err
	}
	return d.Bind(pass, program)
}

// Finish runs a pass for what it leaves in the buffers, and reports nothing but what keeps the next
// pass from running.
func Finish(ctx context.Context, pass *sim.BoundProgram) error {
	entry := pass.Pipeline.Entry.Object.Name
	result, err := pass.Run(ctx, pass.Workgroups, pass.Buffers, sim.Options{})
	if err != nil {
		return fmt.Errorf("pass %s: %w", entry, err)
	}
	if !result.Finished {
		return fmt.Errorf("pass %s did not end within %d steps, so the next one has nothing to begin with: wgslab simulate shows its loop", entry, result.Steps)
	}
	return nil
}
