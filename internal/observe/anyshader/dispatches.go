package anyshader

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl"
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
	if err := d.complete(program); err != nil {
		return nil, nil, err
	}
	bound.Workgroups, nothing, err = d.Passes[pass].Counts(program, d.Buffers)
	return bound, nothing, err
}

// proposed is how many elements a proposal for a buffer has.
const proposed = 64

// typed returns the place of a binding as people type it: 3, or 1.3 in another group than 0.
func (b *Argument) typed() string {
	if b.Group == 0 {
		return strconv.Itoa(int(b.Binding))
	}
	return fmt.Sprintf("%d.%d", b.Group, b.Binding)
}

// complete reports all bindings of a program to which nothing is bound, with what to write.
func (d *Dispatches) complete(program *sim.Program) error {
	var missing, write []string
	for _, p := range program.Bindings {
		at := &Argument{Group: p.Group, Binding: p.Number}
		isBound := func(b *Argument) bool { return b.Group == p.Group && b.Binding == p.Number }
		if p.Group == ir.ImmediateGroup || slices.ContainsFunc(d.Buffers, isBound) {
			continue // layOut has its own words for immediates
		}
		missing = append(missing, fmt.Sprintf("`%s`, @group(%d) @binding(%d)", p.Object.Name, p.Group, p.Number))
		if notation := Propose(p.Object, proposed, false); notation != "" {
			write = append(write, fmt.Sprintf("%sbind '%s=%s'", d.dashes, at.typed(), notation))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("nothing is bound to %s: write, for example, %s", strings.Join(missing, ", nor to "), strings.Join(write, " "))
}

// declared reports an argument for a binding that the shader doesn't declare, if it declares any.
// A shader with mistakes is reported elsewhere.
func declared(source *shader.Source, passes []EntryRun, given []*Argument) error {
	module, err := source.Module()
	if err != nil || len(module.Bindings) == 0 {
		return nil
	}
	for _, b := range given {
		isThis := func(d wgsl.Binding) bool { return d.Group == b.Group && d.Number == b.Binding }
		counts := func(r EntryRun) bool {
			return r.Indirect != nil && r.Indirect.Group == b.Group && r.Indirect.Binding == b.Binding
		}
		if b.Group == ir.ImmediateGroup || slices.ContainsFunc(passes, counts) || slices.ContainsFunc(module.Bindings, isThis) {
			continue
		}
		var has []string
		for _, d := range module.Bindings {
			has = append(has, fmt.Sprintf("%s (`%s`)", (&Argument{Group: d.Group, Binding: d.Number}).typed(), d.Name))
		}
		return fmt.Errorf("bind %s: the shader has no @group(%d) @binding(%d); it has %s", b.typed(), b.Group, b.Binding, english.List(has))
	}
	return nil
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
