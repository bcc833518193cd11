package gpu

/*
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The few calls into wgpu-native that the Go binding lacks or makes unsafely
// (internal/machine/engine/README.md lists them). The library is linked by the binding; its symbols
// are declared weak here, so that this package also links where cgo probes it
// alone.
#define NATIVE extern __attribute__((weak))

typedef struct chained { struct chained const *next; uint32_t sType; } chained;

typedef struct {
	chained chain;
	uint32_t backends, flags, dx12Compiler, gles3Minor;
	char const *dxilPath, *dxcPath;
} instance_extras;

typedef struct { chained const *next; } instance_descriptor;

typedef struct {
	uint32_t maxTextureDimension1D, maxTextureDimension2D, maxTextureDimension3D, maxTextureArrayLayers;
	uint32_t maxBindGroups, maxBindGroupsPlusVertexBuffers, maxBindingsPerBindGroup;
	uint32_t maxDynamicUniformBuffers, maxDynamicStorageBuffers;
	uint32_t maxSampledTextures, maxSamplers, maxStorageBuffers, maxStorageTextures, maxUniformBuffers;
	uint64_t maxUniformBufferBindingSize, maxStorageBufferBindingSize;
	uint32_t minUniformBufferOffsetAlignment, minStorageBufferOffsetAlignment, maxVertexBuffers;
	uint64_t maxBufferSize;
	uint32_t maxVertexAttributes, maxVertexBufferArrayStride, maxInterStageComponents, maxInterStageVariables;
	uint32_t maxColorAttachments, maxColorAttachmentBytesPerSample;
	uint32_t maxComputeWorkgroupStorageSize, maxComputeInvocationsPerWorkgroup;
	uint32_t maxComputeWorkgroupSizeX, maxComputeWorkgroupSizeY, maxComputeWorkgroupSizeZ;
	uint32_t maxComputeWorkgroupsPerDimension;
} wgpu_limits;

typedef struct { chained *next; wgpu_limits limits; } supported_limits;

typedef struct { void *querySet; uint32_t begin, end; } timestamp_writes;
typedef struct { chained const *next; char const *label; timestamp_writes const *timestamps; } pass_descriptor;

enum { instance_extras_type = 0x00030006, backends_primary = 0x2D, map_mode_read = 1, map_mode_write = 2 };
enum { filter_validation = 0, filter_out_of_memory = 1, no_error = 0, map_success = 0 };

NATIVE void *wgpuCreateInstance(instance_descriptor const *);
NATIVE uint32_t wgpuAdapterGetLimits(void *adapter, supported_limits *);
NATIVE uint32_t wgpuDevicePoll(void *device, uint32_t wait, void const *index);
NATIVE void wgpuQueueSubmit(void *queue, size_t count, void *const *commands);
NATIVE void wgpuDevicePushErrorScope(void *device, uint32_t filter);
NATIVE void wgpuDevicePopErrorScope(void *device, void (*callback)(uint32_t, char const *, void *), void *userdata);
NATIVE void wgpuBufferMapAsync(void *buffer, uint32_t mode, size_t offset, size_t size, void (*callback)(uint32_t, void *), void *userdata);
NATIVE void *wgpuCommandEncoderBeginComputePass(void *encoder, pass_descriptor const *);
NATIVE void wgpuComputePassEncoderSetPipeline(void *pass, void *pipeline);
NATIVE void wgpuComputePassEncoderSetBindGroup(void *pass, uint32_t index, void *group, size_t count, uint32_t const *offsets);
NATIVE void wgpuComputePassEncoderDispatchWorkgroups(void *pass, uint32_t x, uint32_t y, uint32_t z);
NATIVE void wgpuComputePassEncoderDispatchWorkgroupsIndirect(void *pass, void *buffer, uint64_t offset);
NATIVE void wgpuComputePassEncoderEnd(void *pass);
NATIVE void wgpuComputePassEncoderRelease(void *pass);

static void *create_instance(void) {
	instance_extras extras;
	memset(&extras, 0, sizeof extras);
	extras.chain.sType = instance_extras_type;
	extras.backends = backends_primary;
	instance_descriptor descriptor = { &extras.chain };
	return wgpuCreateInstance(&descriptor);
}

static wgpu_limits adapter_limits(void *adapter) {
	supported_limits supported;
	memset(&supported, 0, sizeof supported);
	wgpuAdapterGetLimits(adapter, &supported);
	return supported.limits;
}

// An error scope's outcome, copied out of the callback.
typedef struct { uint32_t type; char message[4096]; } scope_error;

static void keep_error(uint32_t type, char const *message, void *userdata) {
	scope_error *error = userdata;
	if (type == no_error || error->type != no_error) return;
	error->type = type;
	if (message) strncpy(error->message, message, sizeof error->message - 1);
}

static void push_scopes(void *device) {
	wgpuDevicePushErrorScope(device, filter_validation);
	wgpuDevicePushErrorScope(device, filter_out_of_memory);
}

static void pop_scopes(void *device, scope_error *error) {
	memset(error, 0, sizeof *error);
	for (int i = 0; i < 2; i++) wgpuDevicePopErrorScope(device, keep_error, error);
}

// If wgpu-native cannot return an error, it aborts the process. It does so above all
// when a poll or a submission finds that the device is lost, for example because a
// driver's watchdog killed a shader that ran too long. POSIX lets a handler of SIGABRT
// jump out of abort. So these two calls return, and the device counts as lost. Locks of
// the abandoned call stay held, so the device must not be used again. Any other abort
// goes to Go's handler, as before.
static __thread sigjmp_buf way_out;
static __thread volatile sig_atomic_t armed;
static struct sigaction handler_before;

static void on_abort(int number, siginfo_t *info, void *context) {
	if (armed) {
		armed = 0;
		siglongjmp(way_out, 1);
	}
	if (handler_before.sa_flags & SA_SIGINFO) handler_before.sa_sigaction(number, info, context);
}

static void catch_aborts(void) {
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_sigaction = on_abort;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigfillset(&action.sa_mask);
	sigaction(SIGABRT, &action, &handler_before);
}

// poll_device returns 1 if the device is idle, 0 if it is busy, and -1 if
// wgpu-native aborted.
static int poll_device(void *device) {
	if (sigsetjmp(way_out, 1)) return -1;
	armed = 1;
	int idle = wgpuDevicePoll(device, 0, 0) != 0;
	armed = 0;
	return idle;
}

// nap sleeps for a number of nanoseconds below 1,000,000,000.
static void nap(long nanoseconds) {
	struct timespec const time = { 0, nanoseconds };
	nanosleep(&time, 0);
}

// submit returns 0, or -1 if wgpu-native aborted.
static int submit(void *queue, void *commands) {
	if (sigsetjmp(way_out, 1)) return -1;
	armed = 1;
	wgpuQueueSubmit(queue, 1, &commands);
	armed = 0;
	return 0;
}

// map_state outlives the call that starts the mapping: it is C memory, so that
// the callback never writes where Go's collector has been.
typedef struct { int done; uint32_t status; } map_state;

static void mapped(uint32_t status, void *userdata) {
	map_state *state = userdata;
	state->status = status;
	state->done = 1;
}

static map_state *map_buffer(void *buffer, uint32_t mode, size_t offset, size_t size) {
	map_state *state = calloc(1, sizeof *state);
	if (state) wgpuBufferMapAsync(buffer, mode, offset, size, mapped, state);
	return state;
}

// max_groups is WebGPU's limit on the bind groups of a pipeline.
enum { max_groups = 4 };

// A dispatch with counts, a buffer, is indirect.
typedef struct { void *pipeline, *groups[max_groups]; uint32_t x, y, z; void *counts; uint64_t offset; } dispatch;

// encode_pass records dispatches as one compute pass: each sees the writes of
// the earlier ones.
static void encode_pass(void *encoder, void *querySet, uint32_t begin, uint32_t end, dispatch const *dispatches, size_t n) {
	timestamp_writes timestamps = { querySet, begin, end };
	pass_descriptor descriptor = { 0, 0, querySet ? &timestamps : 0 };
	void *pass = wgpuCommandEncoderBeginComputePass(encoder, &descriptor);
	for (dispatch const *d = dispatches; d < dispatches + n; d++) {
		int fresh = d == dispatches || d->pipeline != d[-1].pipeline;
		if (fresh) wgpuComputePassEncoderSetPipeline(pass, d->pipeline);
		for (uint32_t i = 0; i < max_groups; i++) {
			if (d->groups[i] && (fresh || d->groups[i] != d[-1].groups[i])) wgpuComputePassEncoderSetBindGroup(pass, i, d->groups[i], 0, 0);
		}
		if (d->counts) wgpuComputePassEncoderDispatchWorkgroupsIndirect(pass, d->counts, d->offset);
		else wgpuComputePassEncoderDispatchWorkgroups(pass, d->x, d->y, d->z);
	}
	wgpuComputePassEncoderEnd(pass);
	wgpuComputePassEncoderRelease(pass);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"time"
	"unsafe"

	"github.com/cogentcore/webgpu/wgpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// The binding keeps its C handles in unexported fields: the handle alone, or
// the device's and then the handle. These two read them.
func handle[T wgpu.Instance | wgpu.Adapter | wgpu.Device | wgpu.ComputePipeline | wgpu.BindGroup | wgpu.QuerySet | wgpu.CommandBuffer](p *T) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(p))
}

func ownedHandle[T wgpu.Buffer | wgpu.CommandEncoder | wgpu.Queue](p *T) unsafe.Pointer {
	return (*[2]unsafe.Pointer)(unsafe.Pointer(p))[1]
}

// createInstance makes an instance over Vulkan, Metal and DX12. OpenGL is left
// out: it is slow to probe, prints warnings, and its compute shaders are too
// limited for the lessons.
func createInstance() (*wgpu.Instance, error) {
	catchAborts()
	ref := C.create_instance()
	if ref == nil {
		return nil, errors.New("wgpu-native made no instance")
	}
	instance := new(wgpu.Instance)
	*(*unsafe.Pointer)(unsafe.Pointer(instance)) = ref
	return instance, nil
}

func adapterLimits(adapter *wgpu.Adapter) shader.Limits {
	l := C.adapter_limits(handle(adapter))
	return shader.Limits{
		BufferBytes:             min(uint64(l.maxBufferSize), math.MaxInt64), // NVIDIA says 2^64-1, which asks for the default of 256 MiB
		StorageBindingBytes:     uint64(l.maxStorageBufferBindingSize),
		StorageBuffersPerShader: uint32(l.maxStorageBuffers),
		WorkgroupStorageBytes:   uint32(l.maxComputeWorkgroupStorageSize),
		InvocationsPerWorkgroup: uint32(l.maxComputeInvocationsPerWorkgroup),
		WorkgroupSize:           [3]uint32{uint32(l.maxComputeWorkgroupSizeX), uint32(l.maxComputeWorkgroupSizeY), uint32(l.maxComputeWorkgroupSizeZ)},
		WorkgroupsPerDimension:  uint32(l.maxComputeWorkgroupsPerDimension),
		UniformBindingBytes:     uint64(l.maxUniformBufferBindingSize),
	}
}

// guarded runs call and returns what wgpu reports meanwhile. Outside of an
// error scope wgpu-native ends the process on any error.
func (w *webgpu) guarded(call func()) error {
	device := handle(w.device)
	C.push_scopes(device)
	call()
	var outcome C.scope_error
	C.pop_scopes(device, &outcome)
	if outcome._type == C.no_error {
		return nil
	}
	return fmt.Errorf("wgpu: %s", C.GoString(&outcome.message[0]))
}

var catchAborts = sync.OnceFunc(func() { C.catch_aborts() })

// pollNative lets wgpu-native call back about what has finished, and says whether
// nothing is running any more. Its error is errAborted: wgpu-native gave up, and
// has printed why.
func (w *webgpu) pollNative() (idle bool, err error) {
	switch C.poll_device(handle(w.device)) {
	case -1:
		return false, errAborted
	case 0:
		return false, nil
	}
	w.idle = true
	return true, nil
}

// nap sleeps as briefly as the system can, which is some 70 µs on Linux.
func nap(duration time.Duration) { C.nap(C.long(duration.Nanoseconds())) }

func submitCommands(queue *wgpu.Queue, commands *wgpu.CommandBuffer) error {
	if C.submit(ownedHandle(queue), handle(commands)) != 0 {
		return errAborted
	}
	return nil
}

// mapping is a buffer mapping under way.
type mapping struct{ state *C.map_state }

// The ways to map a buffer: to read what the device wrote, to write what it will read.
const (
	mapRead  = C.map_mode_read
	mapWrite = C.map_mode_write
)

func startMapping(buffer *wgpu.Buffer, mode uint32, offset, bytes uint64) mapping {
	return mapping{C.map_buffer(ownedHandle(buffer), C.uint32_t(mode), C.size_t(offset), C.size_t(bytes))}
}

func (m mapping) done() bool { return m.state.done != 0 }

// finish frees the state, once done, and says how the mapping went.
func (m mapping) finish() error {
	status := m.state.status
	C.free(unsafe.Pointer(m.state))
	if status != C.map_success {
		return fmt.Errorf("mapping the buffer ended with status %d", uint32(status))
	}
	return nil
}

// timestamps are the queries that receive the times at which a pass begins and ends.
type timestamps struct {
	set        *wgpu.QuerySet
	begin, end uint32
}

// encodePass records dispatches as one compute pass, with timestamps if they are not nil. A pass
// without dispatches may still have those.
func encodePass(encoder *wgpu.CommandEncoder, passes []Pass, times *timestamps) {
	if len(passes) == 0 && times == nil {
		return
	}
	var set unsafe.Pointer
	begin, end := uint32(NoQuery), uint32(NoQuery)
	if times != nil {
		set, begin, end = handle(times.set), times.begin, times.end
	}
	dispatches := make([]C.dispatch, len(passes))
	for i, p := range passes {
		n := p.workgroups
		d := C.dispatch{pipeline: handle(p.pipeline.made.program.(*webgpuProgram).pipeline), x: C.uint32_t(n[0]), y: C.uint32_t(n[1]), z: C.uint32_t(n[2])}
		for number, g := range p.groups {
			d.groups[number] = handle(g.bound.(*webgpuGroup).BindGroup)
		}
		if p.counts != nil {
			d.counts, d.offset = ownedHandle(handleOf(p.counts)), C.uint64_t(p.offset)
		}
		dispatches[i] = d
	}
	C.encode_pass(ownedHandle(encoder), set, C.uint32_t(begin), C.uint32_t(end), unsafe.SliceData(dispatches), C.size_t(len(dispatches)))
}
