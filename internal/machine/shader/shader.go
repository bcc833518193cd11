// Package shader is the contract between the judges of shaders and the engines that run them.
// WebGPU is one engine, a browser is another, and the simulator can be a third. The package runs
// nothing itself and links no C. Failures come back as error values.
//
// # From text to a running program
//
//  1. Read makes a Source of a shader's text. The front end reads it once, on first use. Source.At
//     gives the same shader another entry point.
//  2. Backend.Compile makes a Program of a Source, at one entry point. The simulator compiles it to
//     its own instructions, a sim.Program, and keeps them with the Source. A device has a
//     gpu.Pipeline, which its driver or its browser has compiled.
//  3. CompileAll makes one Program of several passes, which run in order on the same buffers.
//  4. Program.Run checks a Dispatch and runs it. The Result holds what is left in the buffers, and
//     what the engine observed.
//
// The debugger, the counter of costs and the search for reasons need more than a Program gives.
// They compile a Source with sim.CompileEntry, and run the simulator's instructions themselves.
//
// The package also makes every check that needs only a shader's declarations, an adapter's limits
// and the buffers. So every engine reports the same errors.
package shader

import (
	"context"
	"errors"
	"fmt"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A Backend compiles WGSL and runs it.
type Backend interface {
	Adapter() Adapter
	// Compile compiles a shader with the entry point of its source. A mistake in the shader comes
	// back as a *CompileError. If the context ends during the call, the call ends and the backend
	// stays usable.
	Compile(ctx context.Context, source *Source) (Program, error)
}

// Engines are the engines that a check runs a shader on. Both fields may hold the same engine; then
// it is the only one available.
type Engines struct {
	Values  Backend // runs every case; its values count
	Watcher Backend // also runs the small cases and observes what happens in them
}

// A Program is a compiled shader.
type Program interface {
	// Run runs one dispatch. It returns a *BindError if the buffers do not match, and an
	// *EndlessError if a loop cannot end. If the shader misses the backend's deadline, it returns
	// a *DeadlineError. The context works as for Compile.
	Run(ctx context.Context, d Dispatch) (Result, error)
	Free()
}

// EntryPoint is the name of a shader's compute function.
const EntryPoint = "main"

// A Dispatch is one run of a shader: the workgroups in x, y and z, and the buffers. The first
// buffer is bound to @group(0) @binding(0), the second to @binding(1), and so on.
type Dispatch struct {
	Workgroups [3]uint32
	Later      [][3]uint32 // of the further entry points, if CompileAll compiled several
	Buffers    []Buffer
	Output     int   // the index of the buffer to return
	Also       []int // the indices of further buffers to return

	// Watch asks the engine to observe the run and report problems. An engine that sees only the
	// output, such as a GPU, runs the shader as usual.
	Watch bool
	// Rounded asks the simulator to report whole numbers that floats round as well.
	Rounded bool
	// InTurns asks the simulator to take turns after each atomic function, as invocations side by
	// side may, and to report lost updates. Other engines run the shader as usual.
	InTurns bool
	// Exact asks the simulator to compute floats in 64 bits and to bound their errors. Other
	// engines run the shader as usual.
	Exact bool
}

// A Result is the outcome of a dispatch: the contents of its output buffers and, if the engine
// watched, what it observed.
type Result struct {
	Left            // in Dispatch.Output
	Also     []Left // in Dispatch.Also
	Findings []findings.Finding
	Steps    uint64 // instructions of all invocations together; 0 if the engine does not count them
	// Wrote says for each invocation whether it wrote to a storage buffer or past the end of an
	// array. The order is by workgroup, x first, and within a workgroup by local_invocation_index.
	Wrote []bool
	// Undecided says where rounding decides what happens next. Only an exact run has it.
	Undecided []findings.Region
}

// A Left is what a run left in one buffer.
type Left struct {
	Output Buffer
	// Doubtful says for each element of Output whether it depends on an out-of-bounds read; nil if
	// none does.
	Doubtful []bool
	// Raced says for each element of Output whether a race decides its value; nil if there is none.
	Raced []bool
	// Margins says for each element of Output how far another right shader's may be from it. Only
	// an exact run has them.
	Margins []float64
}

// All returns what the run left in each of its output buffers.
func (r *Result) All() []Left { return append([]Left{r.Left}, r.Also...) }

// ErrNoAdapter says that neither a GPU nor a CPU driver was found.
var ErrNoAdapter = errors.New("no usable WebGPU adapter")

// ErrLost says that the device is lost: it was closed, or an earlier failure left it in an unknown
// state.
var ErrLost = errors.New("the device is lost")

// An Adapter describes the device or driver that runs the shaders.
type Adapter struct {
	Name       string      `json:"name"`       // as the driver reports it, such as "NVIDIA H200"
	Kind       AdapterKind `json:"kind"`       // GPU, CPU or Simulated
	Backend    string      `json:"backend"`    // "vulkan", "metal", "d3d12"; "no driver" if none is needed
	Timestamps bool        `json:"timestamps"` // whether passes can be timed on the device
	Halves     bool        `json:"halves"`     // whether shaders may `enable f16`
	Subgroups  [2]uint32   `json:"subgroups"`  // the smallest and the largest; 0 if shaders can't `enable subgroups`
	Limits     Limits      `json:"limits"`
}

// An AdapterKind tells hardware adapters from software ones.
type AdapterKind string

// The kinds of adapter.
const (
	GPU       AdapterKind = "GPU"
	CPU       AdapterKind = "CPU"       // a software driver, such as Mesa's lavapipe
	Simulated AdapterKind = "simulator" // no driver at all: the shader is interpreted
)

// BrowserBackend is the backend of a browser's adapters.
const BrowserBackend = "the browser's WebGPU"

func (a Adapter) String() string {
	if a.Kind == Simulated {
		return a.Name + " (no GPU or driver needed)"
	}
	return fmt.Sprintf("%s (%s, %s)", a.Name, a.Kind, a.Backend)
}

// Limits are the limits of an adapter; WebGPU's guaranteed minimum is much lower.
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
