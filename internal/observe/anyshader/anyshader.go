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

	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/observe/printing"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// A SimulatedRun is what the passes did, in the form that wgslab simulate --json prints.
type SimulatedRun struct {
	Findings []findings.Finding  `json:"findings"`
	Buffers  []BufferAfter       `json:"buffers"`
	Steps    uint64              `json:"steps"`
	Finished bool                `json:"finished"`
	Endless  bool                `json:"endless,omitempty"` // no limit on steps would have been enough
	Printed  []*printing.Printed `json:"printed,omitempty"`
	Device   string              `json:"device,omitempty"` // that ran the passes as well

	Unchecked []string `json:"unchecked,omitempty"` // what the run was too long for
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

// Compile compiles all passes. Errors of the front end become findings, and then there is no
// program for any pass.
func (r *SimulatedRun) Compile(d *Dispatches) ([]*sim.Program, error) {
	programs := make([]*sim.Program, len(d.Passes))
	for i := range d.Passes {
		var err error
		if programs[i], err = d.Compile(i, false); err != nil {
			if err = r.refused(d.Source, err); err != nil {
				return nil, err
			}
			continue
		}
		r.exceed(programs[i])
	}
	if r.Wrong() {
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

// refused adds the findings of a pass that doesn't compile, and returns any other error.
func (r *SimulatedRun) refused(source *shader.Source, err error) error {
	var mistake *shader.CompileError
	if !errors.As(err, &mistake) || mistake.Kind == findings.NoEntryPoint || mistake.Kind == findings.EngineRefuses {
		return err
	}
	wrong := source.Shader().Unrunnable()
	if len(wrong) == 0 {
		wrong = []*findings.Finding{&mistake.Finding}
	}
	for _, f := range wrong {
		says := strings.TrimSpace(f.Message + " " + f.Hint)
		told := func(before findings.Finding) bool { return before.Region == f.Region && before.Message == says }
		if !slices.ContainsFunc(r.Findings, told) { // another pass may have the same mistake
			r.Findings = append(r.Findings, findings.Finding{Kind: findings.NotCompiled, Message: says, Location: findings.Location{Region: f.Region}})
		}
	}
	return nil
}

// Run runs all passes, and changes the buffers. If a pass doesn't compile, none runs. An error is
// about the dispatches, not about the shader. before sees each pass that is about to run.
func Run(ctx context.Context, d *Dispatches, before func(*sim.BoundProgram)) (*SimulatedRun, error) {
	run := NewRun()
	programs, err := run.Compile(d)
	if err != nil || programs == nil {
		return run, err
	}
	passes, err := run.Simulate(ctx, d, programs, 0, before)
	if err != nil {
		return nil, err
	}
	run.Add(d.Buffers, passes, nil)
	return run, nil
}

// A SimulatedPass is a pass that ran, with the workgroups that it may have taken from a buffer, and
// what it printed.
type SimulatedPass struct {
	*sim.BoundProgram
	Printed []*printing.Printed
}

// Simulate runs the programs of the passes in the simulator, and returns those that ran. Each may
// take so many steps; 0 means sim.DefaultSteps. before, if not nil, sees each pass that is about to
// run.
func (r *SimulatedRun) Simulate(ctx context.Context, d *Dispatches, programs []*sim.Program, steps uint64, before func(*sim.BoundProgram)) (ran []SimulatedPass, err error) {
	found := foundInPasses{passes: d.Passes, all: r.Findings}
	defer func() { r.Findings = found.named() }()
	r.Finished = true
	beside := besides{found: &found}
	for i, program := range programs {
		pass, nothing, err := d.Bind(i, program)
		if err != nil {
			return nil, err
		}
		if nothing != nil {
			found.add(i, []findings.Finding{*nothing})
			continue
		}
		if before != nil {
			before(pass)
		}
		printed, err := printing.Run(ctx, d.Source, func(marked *shader.Source) (*debug.Target, error) {
			program, err := Compile(marked, d.Passes[i].Entry, d.Overrides, true)
			return &debug.Target{Program: program, Workgroups: pass.Workgroups, Buffers: pass.Buffers}, err
		})
		if err != nil {
			return nil, err
		}
		kept := pass.Copy()
		result, err := pass.Run(ctx, pass.Workgroups, pass.Buffers, sim.Options{Watch: true, Steps: steps})
		if err != nil {
			return nil, err
		}
		ran = append(ran, SimulatedPass{pass, printed})
		found.add(i, result.Findings)
		if err := beside.look(ctx, r, i, kept, result, d.Passes[i].Indirect == nil); err != nil {
			return nil, err
		}
		r.Steps += result.Steps
		if r.Finished, r.Endless = result.Finished, result.Endless; !r.Finished {
			break // the buffers hold no result for the next pass
		}
	}
	beside.tell()
	return ran, nil
}

// besides looks at passes in runs of its own: for whole numbers that floats round, and for too many
// workgroups or too few.
type besides struct {
	found  *foundInPasses
	passes []int // that ran, by their indices
	fits   []*simulator.Fit
	chosen []bool // the host has chosen the number of workgroups
}

// look looks at a pass that has run, with the buffers from before.
func (b *besides) look(ctx context.Context, r *SimulatedRun, at int, pass *sim.BoundProgram, result *sim.Result, chosen bool) error {
	found, all, err := pass.Rounded(ctx, pass.Workgroups, pass.Buffers)
	if err != nil {
		return err
	}
	b.found.add(at, found)
	fit := &simulator.Fit{}
	if !b.found.wrong() && result.Finished && (chosen || len(b.found.passes) > 1) {
		if fit, err = simulator.FitOf(ctx, pass, result.Steps); err != nil {
			return err
		}
		if fit.Touched == nil || fit.Short {
			r.uncheck("whether the number of workgroups fits")
		}
	}
	if result.Finished && !all {
		r.uncheck("whole numbers that floats round, after the first part")
	}
	b.passes, b.fits, b.chosen = append(b.passes, at), append(b.fits, fit), append(b.chosen, chosen)
	return nil
}

// uncheck notes what a run was too long for.
func (r *SimulatedRun) uncheck(what string) {
	if !slices.Contains(r.Unchecked, what) {
		r.Unchecked = append(r.Unchecked, what)
	}
}

// TooLong says what the run was too long to check; "" for nothing.
func (r *SimulatedRun) TooLong() string {
	if len(r.Unchecked) == 0 {
		return ""
	}
	return "The run is too long to check " + strings.Join(r.Unchecked, ", and ")
}

// tell adds what is certain of all passes together: another one may write what one leaves out.
func (b *besides) tell() {
	if b.found.wrong() {
		return
	}
	for i, fit := range b.fits {
		written := func(other *simulator.Fit) bool { return other != fit && fit.WrittenBy(other) }
		if fit.Odd != nil && b.chosen[i] && !slices.ContainsFunc(b.fits, written) {
			b.found.add(b.passes[i], []findings.Finding{*fit.Odd})
		}
	}
}

// Add adds what the passes printed and left in the buffers, and what else they left on a device;
// nil stands for no device.
func (r *SimulatedRun) Add(given []*Argument, passes []SimulatedPass, devices []sim.BoundBuffer) {
	for _, pass := range passes {
		r.addPrinted(pass.Printed)
	}
	for i, b := range given {
		if b.Sampler != nil || b.Group == ir.ImmediateGroup {
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
			return other.File == p.File && other.Line == p.Line && (!other.HasRows() || !p.HasRows())
		})
		switch {
		case at < 0:
			r.Printed = append(r.Printed, p)
		case p.HasRows():
			r.Printed[at] = p
		}
	}
}
