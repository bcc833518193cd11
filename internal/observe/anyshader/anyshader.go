// Package anyshader runs a shader without an exercise in the simulator: its passes one after the
// other, on buffers that a person types. wgslab simulate and the page's bench show the same answer.
package anyshader

import (
	"bytes"
	"context"
	"errors"
	"image"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/observe/debug"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/printing"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// Dispatches is what to run.
type Dispatches struct {
	Passes    []EntryRun
	Buffers   []*Argument // all passes share them
	Overrides []string
	Steps     uint64 // the limit of a pass; 0 means sim.DefaultSteps
}

// A SimulatedRun is what the passes did, in the form that wgslab simulate --json prints.
type SimulatedRun struct {
	Findings []findings.Finding  `json:"findings"`
	Buffers  []BufferAfter       `json:"buffers"`
	Steps    uint64              `json:"steps"`
	Finished bool                `json:"finished"`
	Endless  bool                `json:"endless,omitempty"` // no limit on steps would have been enough
	Printed  []*printing.Printed `json:"printed,omitempty"`
	Device   string              `json:"device,omitempty"` // that ran the passes as well
}

// A BufferAfter is a buffer or a texture after the last pass.
type BufferAfter struct {
	Group   uint32               `json:"group"`
	Binding uint32               `json:"binding"`
	Type    string               `json:"type"`
	Values  []numeric.JSONNumber `json:"values"`
	Device  []numeric.JSONNumber `json:"device,omitempty"` // if the device left other values
	Picture image.Image          `json:"-"`                // of a texture; nil for a buffer
}

// NewRun returns a run in which nothing has happened yet.
func NewRun() *SimulatedRun {
	return &SimulatedRun{Findings: []findings.Finding{}, Buffers: []BufferAfter{}}
}

// Wrong reports whether an error was found.
func (r *SimulatedRun) Wrong() bool {
	return slices.ContainsFunc(r.Findings, findings.Finding.IsError)
}

// Programs compiles all passes. Errors of the front end become findings, and then there is no
// program for any pass.
func (d *Dispatches) Programs(source *shader.Source, run *SimulatedRun) ([]*sim.Program, error) {
	programs := make([]*sim.Program, len(d.Passes))
	for i, pass := range d.Passes {
		var err error
		if programs[i], err = d.compile(source, run, pass.Entry); err != nil {
			return nil, err
		}
		if programs[i] != nil {
			run.exceed(programs[i])
		}
	}
	if run.Wrong() {
		return nil, nil
	}
	return programs, nil
}

// exceed adds what a program needs beyond every device's limits. The simulator runs it: devices
// differ in their limits.
func (r *SimulatedRun) exceed(program *sim.Program) {
	for _, f := range analysis.Limits(program.Pipeline) {
		if !slices.ContainsFunc(r.Findings, func(before findings.Finding) bool { return before.Span == f.Span && before.Message == f.Message }) {
			r.Findings = append(r.Findings, *f)
		}
	}
}

func (d *Dispatches) compile(source *shader.Source, run *SimulatedRun, entry string) (*sim.Program, error) {
	program, err := Compile(source, entry, d.Overrides, false)
	var mistake *shader.CompileError
	if !errors.As(err, &mistake) || mistake.Kind == findings.NoEntryPoint || mistake.Kind == findings.EngineRefuses {
		return program, err
	}
	wrong := source.Shader().Unrunnable()
	if len(wrong) == 0 {
		wrong = []*findings.Finding{&mistake.Finding}
	}
	for _, f := range wrong {
		run.Findings = append(run.Findings, findings.Finding{
			Kind: findings.NotCompiled, Message: strings.TrimSpace(f.Message + " " + f.Hint), Location: findings.Location{Region: f.Region},
		})
	}
	return nil, nil
}

// Run runs all passes, and changes the buffers. If a pass doesn't compile, none runs. An error is
// about the dispatches, not about the shader.
func (d *Dispatches) Run(ctx context.Context, source *shader.Source) (*SimulatedRun, error) {
	run := NewRun()
	programs, err := d.Programs(source, run)
	if err != nil || programs == nil {
		return run, err
	}
	if err := d.Fit(programs); err != nil {
		return nil, err
	}
	_, printed, err := d.Simulate(ctx, source, programs, run)
	if err != nil {
		return nil, err
	}
	run.Add(d.Buffers, printed, nil)
	return run, nil
}

// A ProgramRun is a pass that ran, with the workgroups that it may have taken from a buffer.
type ProgramRun struct {
	Program    *sim.Program
	Workgroups [3]uint32
}

// Simulate runs the programs of the passes in the simulator. It returns those that ran, and what
// each printed.
func (d *Dispatches) Simulate(ctx context.Context, source *shader.Source, programs []*sim.Program, run *SimulatedRun) (ran []ProgramRun, printed [][]*printing.Printed, err error) {
	run.Finished = true
	buffers := d.Bound()
	for i, pass := range d.Passes {
		workgroups, nothing, err := pass.Counts(programs[i], d.Buffers)
		if err != nil {
			return nil, nil, err
		}
		if nothing != nil {
			run.Findings = append(run.Findings, *nothing)
			continue
		}
		shown, err := printing.Run(ctx, source, func(marked *shader.Source) (*debug.Target, error) {
			program, err := Compile(marked, pass.Entry, d.Overrides, true)
			return &debug.Target{Program: program, Workgroups: workgroups, Buffers: buffers}, err
		})
		if err != nil {
			return nil, nil, err
		}
		result, err := programs[i].Run(ctx, workgroups, buffers, sim.Options{Watch: true, Steps: d.Steps})
		if err != nil {
			return nil, nil, err
		}
		ran, printed = append(ran, ProgramRun{programs[i], workgroups}), append(printed, shown)
		run.Findings = append(run.Findings, result.Findings...)
		run.Steps += result.Steps
		if run.Finished, run.Endless = result.Finished, result.Endless; !run.Finished {
			break // the buffers hold no result for the next pass
		}
	}
	return ran, printed, nil
}

// Fit fits the buffers to the programs. It fails if a program binds something else in their place.
func (d *Dispatches) Fit(programs []*sim.Program) error {
	for _, program := range programs {
		for _, b := range d.Buffers {
			if err := b.Fit(program); err != nil {
				return err
			}
		}
	}
	return nil
}

// Bound returns the buffers as the simulator binds them. They share their memory.
func (d *Dispatches) Bound() []sim.BoundBuffer {
	buffers := make([]sim.BoundBuffer, len(d.Buffers))
	for i, b := range d.Buffers {
		buffers[i] = b.Bound()
	}
	return buffers
}

// Add adds what the passes printed and left in the buffers, and what else they left on a device;
// nil stands for no device.
func (r *SimulatedRun) Add(given []*Argument, printed [][]*printing.Printed, devices []sim.BoundBuffer) {
	for _, shown := range printed {
		r.addPrinted(shown)
	}
	for i, b := range given {
		if b.Sampler != nil {
			continue
		}
		left := BufferAfter{Group: b.Group, Binding: b.Binding, Type: b.Type(), Values: b.Values()}
		if b.Texture != nil {
			left.Picture = b.Picture()
		}
		if devices != nil && !bytes.Equal(b.Data, devices[i].Data) {
			theirs := *b
			theirs.Data = devices[i].Data
			left.Device = theirs.Values()
		}
		r.Buffers = append(r.Buffers, left)
	}
}

// addPrinted adds what a pass printed. A comment that a pass doesn't reach says so only if no other
// pass reaches it.
func (r *SimulatedRun) addPrinted(more []*printing.Printed) {
	for _, p := range more {
		at := slices.IndexFunc(r.Printed, func(other *printing.Printed) bool {
			return other.Line == p.Line && (!other.HasRows() || !p.HasRows())
		})
		switch {
		case at < 0:
			r.Printed = append(r.Printed, p)
		case p.HasRows():
			r.Printed[at] = p
		}
	}
}
