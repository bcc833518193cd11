// Package gpu runs compute shaders written in WGSL. Open opens a Device: a GPU, else a CPU driver,
// else a simulated device that needs no driver. On the device you make Buffers, compile WGSL to
// Kernels, bind both to Passes and run those.
//
//	device, err := gpu.Open()
//	a, err := gpu.Upload(device, []float32{1, 2, 3})
//	out, err := gpu.Alloc[float32](device, 3)
//	kernel, err := device.Compile("double", source)
//	pass, err := kernel.Pass([3]uint32{1, 1, 1}, a, out)
//	err = device.Run(pass)
//	values, err := gpu.Read[float32](out)
//
// Compute does all of this in one call.
//
// Errors are values, in words for learners: a *CompileError, a *BindError, a *DeadlineError, or an
// error that wraps ErrNoAdapter or ErrLost. The package writes nothing to stdout or stderr.
//
// The package is the face of internal/machine/engine/gpu: its types are the engine's own.
package gpu

import (
	"time"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

type (
	// A Device is an open adapter with its queue. Many goroutines may call its methods; the calls
	// take turns.
	Device = gpu.Device

	// A Buffer is memory of the device. Upload and Alloc make buffers for storage bindings, Uniform
	// makes them for uniform bindings.
	Buffer = gpu.Buffer

	// A Kernel is a compiled compute shader. Device.Compile makes it.
	Kernel = gpu.Pipeline

	// A Pass is one dispatch of a kernel over its buffers. Kernel.Pass makes it; you may submit it
	// any number of times.
	Pass = gpu.Pass

	// A RoundTrip uploads values, runs passes and reads the result back, all in one submission. It
	// keeps its memory for the next trip. Device.RoundTrip makes it.
	RoundTrip = gpu.RoundTrip

	// Counts says how often the host has talked to the device.
	Counts = gpu.Counts

	// Element is what a buffer can hold: WGSL's f32, u32 and i32, 4 bytes each.
	Element = gpu.Element

	// An Option changes how Open opens a device.
	Option = gpu.Option
)

type (
	// An Adapter describes what runs the shaders: its name, its kind and its limits.
	Adapter = shader.Adapter

	// Kind says whether an adapter is hardware or software: GPU, CPU or Simulated.
	Kind = shader.AdapterKind

	// Limits says how much of everything an adapter can handle.
	Limits = shader.Limits

	// A CompileError says what is wrong with a shader before it can run, and where.
	CompileError = shader.CompileError

	// A BindError says which binding does not fit what the shader declares, and why.
	BindError = shader.BindError

	// An EndlessError says that a shader has a loop that no invocation can leave. The device
	// stays usable.
	EndlessError = shader.EndlessError

	// A DeadlineError says that the device did not finish in time. The device is lost.
	DeadlineError = shader.DeadlineError
)

// The kinds of adapter.
const (
	GPU       = shader.GPU       // a real GPU
	CPU       = shader.CPU       // a software driver, such as Mesa's lavapipe
	Simulated = shader.Simulated // the simulator: it interprets the shader and needs no driver
)

const (
	// DefaultDeadline is how long a device may take for one piece of work before waiting for it
	// ends with a *DeadlineError.
	DefaultDeadline = gpu.DefaultDeadline

	// EngineVariable names the environment variable that chooses what Open opens: "gpu", "cpu" or
	// "simulator".
	EngineVariable = gpu.EngineVariable
)

// The errors that others wrap.
var (
	ErrNoAdapter = shader.ErrNoAdapter // there is no adapter of the kind asked for
	ErrLost      = shader.ErrLost      // the device was closed, or failed earlier
)

// Open opens a real GPU, else a CPU driver, else the simulator. Device.Adapter says which. Require
// and the environment variable WGSLAB_ENGINE narrow the choice. If there is no adapter of that
// kind, the error wraps ErrNoAdapter.
//
// From then on Linux ends this program before others when the machine runs out of memory.
func Open(options ...Option) (*Device, error) {
	usage.BeFirstToGo()
	return gpu.Open(options...)
}

// WithDeadline sets how long one wait for the device may take.
func WithDeadline(d time.Duration) Option { return gpu.WithDeadline(d) }

// Require makes Open open an adapter of that kind or none. It overrides WGSLAB_ENGINE.
func Require(kind Kind) Option { return gpu.Require(kind) }

// KeepPrograms makes the device keep the n shaders it compiled last, so that compiling one of them
// again takes no time. It keeps them even after you free their kernels.
func KeepPrograms(n int) Option { return gpu.KeepPrograms(n) }

// Upload makes a storage buffer that holds a copy of data.
func Upload[T Element](d *Device, data []T) (*Buffer, error) { return gpu.Upload(d, data) }

// Alloc makes a storage buffer of n elements, all zero.
func Alloc[T Element](d *Device, n int) (*Buffer, error) { return gpu.Alloc[T](d, n) }

// AllocShared is Alloc for data that the host writes and the device reads once, such as the input
// of a RoundTrip. If the adapter can, it puts the buffer in the host's memory. The device then
// reads it over the bus instead of copying it first. While a RoundTrip holds the buffer, only the
// RoundTrip writes to it.
func AllocShared[T Element](d *Device, n int) (*Buffer, error) { return gpu.AllocShared[T](d, n) }

// Uniform makes a uniform buffer from the members of a uniform struct, in order. Each member is a
// float32, uint32 or int32. Uniform pads the buffer to a multiple of 16 bytes, as WGSL requires.
func Uniform(d *Device, members ...any) (*Buffer, error) { return gpu.Uniform(d, members...) }

// Write copies data into the buffer, from its start.
func Write[T Element](b *Buffer, data []T) error { return gpu.Write(b, data) }

// Read waits until the device has finished all submitted work, and copies the buffer back. T must
// be the element type that the buffer was made with.
func Read[T Element](b *Buffer) ([]T, error) { return gpu.Read[T](b) }

// Run makes a round trip. It writes data to the start of the first buffer, or the contents of
// RoundTrip.Memory if data is nil. It then runs the passes and reads the first len(into) values of
// the second buffer.
func Run[T Element](r *RoundTrip, data []byte, into []T) error { return gpu.Run(r, data, into) }

// Groups returns the number of workgroups of size that cover n elements: n divided by size, rounded
// up.
func Groups(n int, size uint32) uint32 { return gpu.Groups(n, size) }
