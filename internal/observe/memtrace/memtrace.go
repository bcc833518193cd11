// Package memtrace analyses how a shader uses memory. It counts who reads and writes which element
// and how often, the memory lines that the accesses of neighbours touch, and bank conflicts in
// workgroup memory. It also shows which invocations wait at which barrier. The simulator records
// the accesses.
//
// Neighbours are 32 invocations with consecutive local_invocation_index. Package coalesce counts
// their lines and banks.
package memtrace

import (
	"context"
	"fmt"

	engine "github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// steps and accesses are several times the needs of any small case: matmul takes half a million
// steps and 170,000 accesses.
const steps, accesses = 3_000_000, 400_000

// A Trace describes a shader's memory accesses on the small case of an exercise, or in a dispatch
// that somebody typed.
type Trace struct {
	Exercise   string           `json:"exercise"`   // or the shader's file
	Case       string           `json:"case"`       // or the entry point
	Workgroups [3]uint32        `json:"workgroups"` // number of workgroups dispatched
	Size       [3]uint32        `json:"workgroup_size"`
	Variables  []TracedVariable `json:"variables"` // buffers by their binding, then workgroup memory
	Accesses   []AccessSite     `json:"accesses"`  // in source order
	Phases     []Phase          `json:"phases"`    // of the first workgroup
	Errors     []Error          `json:"errors"`    // errors in the shader
	Finished   bool             `json:"finished"`  // all invocations ended
	Cut        bool             `json:"cut"`       // there were too many accesses, and only the first are counted

	kept  []sim.Access
	kinds []ir.AccessKind // one for each site of kept
}

// An Error is an error that the simulator found in a shader.
type Error struct {
	Kind    findings.Kind `json:"kind"`
	File    string        `json:"file,omitempty"` // "" for the file that the shader begins with
	Line    int           `json:"line"`
	Message string        `json:"message"`
}

// Run traces a shader in a dispatch. If the shader can't run, Run returns the error of the
// simulator's engine, a *shader.CompileError or *shader.BindError.
func Run(ctx context.Context, source *shader.Source, d shader.Dispatch) (*Trace, error) {
	kept := sim.Trace{Limit: accesses}
	engine := engine.New(engine.Options{Steps: steps, Trace: &kept})
	program, err := engine.Compile(ctx, source)
	if err != nil {
		return nil, err
	}
	defer program.Free()
	entry, err := source.Entry(engine.Adapter())
	if err != nil {
		return nil, err
	}
	d.Watch = true
	result, err := program.Run(ctx, d)
	if err != nil {
		return nil, err
	}
	return traced(&kept, result.Findings, d.Workgroups, entry.WorkgroupSize), nil
}

// Alone traces a shader without an exercise. The buffers keep their contents.
func Alone(ctx context.Context, source *shader.Source, p *sim.BoundProgram) (*Trace, error) {
	kept := sim.Trace{Limit: accesses}
	result, err := p.Run(ctx, p.Workgroups, p.Copy().Buffers, sim.Options{Steps: steps, Trace: &kept})
	if err != nil {
		return nil, fmt.Errorf("tracing %s: %w", source.Name, err)
	}
	t := traced(&kept, result.Findings, p.Workgroups, p.Pipeline.WorkgroupSize)
	t.Exercise, t.Case = source.Name, source.EntryPoint()
	return t, nil
}

// traced counts what a run kept and found.
func traced(kept *sim.Trace, found []findings.Finding, workgroups, size [3]uint32) *Trace {
	t := &Trace{Workgroups: workgroups, Size: size, Errors: []Error{}, Finished: true}
	for _, f := range found {
		t.Finished = t.Finished && f.Kind != findings.StepLimit
		if f.Severity == findings.Error {
			t.Errors = append(t.Errors, Error{f.Kind, f.File, f.Line, f.Message})
		}
	}
	t.count(kept)
	return t
}

// Invocations returns the number of invocations in a workgroup.
func (t *Trace) Invocations() int { return int(t.Size[0] * t.Size[1] * t.Size[2]) }

// Groups returns the number of workgroups.
func (t *Trace) Groups() int { return int(t.Workgroups[0] * t.Workgroups[1] * t.Workgroups[2]) }

// Touches reports whether the shader reads or writes anything but uniforms.
func (t *Trace) Touches() bool {
	for _, v := range t.Variables {
		if v.Space != Uniform && v.Reads.Total+v.Writes.Total+v.Atomics.Total > 0 {
			return true
		}
	}
	return false
}
