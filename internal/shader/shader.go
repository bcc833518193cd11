// Package shader is the contract between those who judge shaders and the engines
// that run them: a Backend compiles WGSL, a Program runs it over Buffers, and
// what goes wrong comes back as values. WebGPU is one engine, a browser another;
// a simulator can be a third. The package runs nothing itself and links no C.
//
// What can be said about a shader from its declarations, an adapter's limits and
// the buffers alone is said here, once, so that every engine says the same.
package shader

import (
	"context"
	"errors"
	"fmt"
)

// A Backend compiles WGSL and runs it.
type Backend interface {
	Adapter() Adapter
	// Compile compiles a shader with an entry point `main`. A mistake in the
	// shader comes back as a *CompileError. A context that ends during the call
	// ends the call, and leaves the backend usable.
	Compile(ctx context.Context, source *Source) (Program, error)
}

// Engines are what a check runs a shader on. They may be one and the same: then
// nothing else is there to run it on.
type Engines struct {
	Values  Backend // runs every case, and its values count
	Watcher Backend // runs the small ones too, and sees what happens in them
}

// A Program is a compiled shader.
type Program interface {
	// Run runs one dispatch. Buffers that do not fit come back as a *BindError, a
	// loop that cannot end as an *EndlessError, a shader that misses the
	// backend's deadline as a *DeadlineError. The context is as for Compile.
	Run(ctx context.Context, d Dispatch) (Result, error)
	Free()
}

// EntryPoint is the name that a shader's compute function has.
const EntryPoint = "main"

// A Dispatch is one run of a shader: the workgroups in x, y and z, and what is
// bound, the first buffer to @group(0) @binding(0), the second to @binding(1) and
// so on.
type Dispatch struct {
	Workgroups [3]uint32
	Buffers    []Buffer
	Output     int // the index of the buffer that is wanted back

	// Watch asks the engine to find what it can. One that sees only what comes out,
	// as a GPU does, runs the shader as ever.
	Watch bool
}

// A Result is what a dispatch came to: what its output buffer holds afterwards,
// and, where the engine watched, what it saw on the way.
type Result struct {
	Output   Buffer
	Findings []Finding
	Steps    uint64 // instructions of all invocations together; 0 where nobody counts
	// Wrote says of each invocation whether it wrote to a storage buffer, or past
	// the end of an array: workgroup by workgroup, x first, and in each by
	// local_invocation_index.
	Wrote []bool
	// Doubtful says of each element of Output whether it depends on what was read
	// out of bounds; nil where none does.
	Doubtful []bool
}

// ErrNoAdapter says that no adapter, neither a GPU nor a CPU driver, was found.
var ErrNoAdapter = errors.New("no usable WebGPU adapter")

// ErrLost says that the device is gone: it was closed, or an earlier failure
// left it in a state that nobody can trust.
var ErrLost = errors.New("the device is lost")

// An Adapter describes what runs the shaders.
type Adapter struct {
	Name       string `json:"name"`       // as the driver says it, "NVIDIA H200"
	Kind       Kind   `json:"kind"`       // GPU, CPU or Simulated
	Backend    string `json:"backend"`    // "vulkan", "metal", "d3d12"; "no driver" where none is needed
	Timestamps bool   `json:"timestamps"` // whether passes can be timed on the device
	Limits     Limits `json:"limits"`
}

// Kind tells hardware from software.
type Kind string

// The kinds of adapter.
const (
	GPU       Kind = "GPU"
	CPU       Kind = "CPU"       // a software driver, such as Mesa's lavapipe
	Simulated Kind = "simulator" // no driver at all: the shader is interpreted
)

func (a Adapter) String() string {
	if a.Kind == Simulated {
		return a.Name + " (no GPU or driver needed)"
	}
	return fmt.Sprintf("%s (%s, %s)", a.Name, a.Kind, a.Backend)
}

// Limits are what an adapter can do; WebGPU's guaranteed minimum is much lower.
type Limits struct {
	BufferBytes             uint64    `json:"buffer_bytes"`
	StorageBindingBytes     uint64    `json:"storage_binding_bytes"`
	UniformBindingBytes     uint64    `json:"uniform_binding_bytes"`
	StorageBuffersPerShader uint32    `json:"storage_buffers_per_shader"`
	WorkgroupStorageBytes   uint32    `json:"workgroup_storage_bytes"`
	InvocationsPerWorkgroup uint32    `json:"invocations_per_workgroup"`
	WorkgroupSize           [3]uint32 `json:"workgroup_size"`
	WorkgroupsPerDimension  uint32    `json:"workgroups_per_dimension"`
}

// A Finding is something that an engine saw while the shader ran.
type Finding struct {
	Kind     string // a slug, "race-workgroup"
	Severity Severity
	Message  string // what happened, one sentence
	Place    Place
	Variable string // the shader's name for what was touched, "" where there is none
	Index    int    // of the element, -1 where there is none
	Length   int    // of the array, -1 where there is none
	Other    *Place // the other side of a race
	Reads    bool   // one of the two of a race reads
}

// Severity is whether a finding makes a shader wrong.
type Severity string

// The severities.
const (
	SeverityError  Severity = "error"  // the shader is wrong, whatever its values
	SeverityRemark Severity = "remark" // it may explain a wrong value
)

// A Place is where in the source something happened, and who did it.
type Place struct {
	Span
	Workgroup, Invocation [3]uint32 // workgroup_id and local_invocation_id
}
