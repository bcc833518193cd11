// Package trace says how a shader uses memory: who reads and writes which element
// and how often, how many lines of memory the accesses of neighbours fall into,
// which banks of workgroup memory collide, and who waits at which barrier. The
// simulator keeps the accesses; here they are counted.
//
// Neighbours are 32 invocations whose local_invocation_index follow each other, a
// line is 128 bytes and there are 32 banks of 4 bytes, as in NVIDIA's GPUs (CUDA
// C++ Programming Guide: "SIMT Architecture" for the warp of 32, "Compute
// Capability 5.x" for the line of 128 bytes and the banks). WGSL promises none of
// these, and other GPUs differ.
package trace

import (
	"context"

	engine "github.com/wgslab/wgslab/internal/engine/sim"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
)

// The sizes of the GPU that is counted for.
const (
	Neighbours = 32  // invocations that go side by side
	LineBytes  = 128 // of memory that come together
	Banks      = 32  // of workgroup memory
	BankBytes  = 4   // a bank's word
)

// seed draws the values, which no right shader's accesses depend on.
const seed = 1

// steps and accesses are enough for every small case over and over: matmul takes
// half a million steps and 170,000 accesses.
const steps, accesses = 3_000_000, 400_000

// A Trace is what a shader did on the small case of an exercise.
type Trace struct {
	Exercise   string     `json:"exercise"`
	Case       string     `json:"case"`
	Workgroups [3]uint32  `json:"workgroups"` // how many were dispatched
	Size       [3]uint32  `json:"workgroup_size"`
	Variables  []Variable `json:"variables"` // buffers by their binding, then workgroup memory
	Accesses   []Access   `json:"accesses"`  // in the order of the text
	Phases     []Phase    `json:"phases"`    // of the first workgroup, between one barrier and the next
	Errors     []Error    `json:"errors"`    // what is wrong with the shader
	Finished   bool       `json:"finished"`  // all invocations ended
	Cut        bool       `json:"cut"`       // there were too many accesses: the first are counted

	kept  []sim.Access
	kinds []sim.AccessKind // of the sites of kept
}

// An Error is what the simulator found wrong with a shader.
type Error struct {
	Kind    string `json:"kind"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// Of traces a shader on the small case of an exercise. What is wrong with the
// shader before it can run comes back as the simulator's engine says it, as a
// *shader.CompileError or *shader.BindError.
func Of(ctx context.Context, exercise *lesson.Exercise, name, text string) (*Trace, error) {
	kept := sim.Trace{Limit: accesses}
	engine := engine.New(engine.Options{Steps: steps, Trace: &kept})
	source := shader.Read(name, text)
	program, err := engine.Compile(ctx, source)
	if err != nil {
		return nil, err
	}
	defer program.Free()
	entry, err := source.Entry(engine.Adapter())
	if err != nil {
		return nil, err
	}
	c := exercise.DrawSmall(seed)
	t := &Trace{
		Exercise: exercise.ID, Case: c.Name,
		Workgroups: exercise.Dispatch.Workgroups(c.Extent, entry.WorkgroupSize), Size: entry.WorkgroupSize,
		Errors: []Error{}, Finished: true,
	}
	result, err := program.Run(ctx, shader.Dispatch{Workgroups: t.Workgroups, Buffers: c.Buffers, Output: exercise.Output, Watch: true})
	if err != nil {
		return nil, err
	}
	for _, f := range result.Findings {
		t.Finished = t.Finished && f.Kind != sim.StepLimit
		if f.Severity == shader.SeverityError {
			t.Errors = append(t.Errors, Error{f.Kind, f.Place.Line, f.Message})
		}
	}
	t.count(&kept)
	for i := range t.Variables {
		if v := &t.Variables[i]; v.Space == Storage && exercise.Columns != nil {
			v.Columns = exercise.Columns(c, v.Binding)
		}
	}
	return t, nil
}

// Invocations is how many a workgroup has.
func (t *Trace) Invocations() int { return int(t.Size[0] * t.Size[1] * t.Size[2]) }

// Groups is how many workgroups there are.
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
