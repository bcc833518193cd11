// Package wgpu is WebGPU for compute, watched: every call is checked by WebGPU's rules before a
// driver sees it, and a mistake comes back in plain words, with the line of the call. It needs no
// driver: without one, the simulator runs the shaders.
//
// The package has the names and shapes of github.com/cogentcore/webgpu/wgpu, as far as compute
// needs them. Change the import path, and the same program runs on that package.
//
// # Errors
//
// A call that returns an error there returns it here. The other calls differ, because that package
// ends the process in them:
//   - What is wrong in a compute pass comes back from ComputePassEncoder.End, and again from
//     CommandEncoder.Finish, as there. The error names the line of the call that was wrong.
//   - Queue.Submit, Buffer.GetMappedRange and ComputePipeline.GetBindGroupLayout panic with the
//     error.
//   - A nil object where one is needed is an error of the call, not a crash.
//
// Errors about WebGPU's rules are of type *webgpu.Mistake in internal/machine/webgpu.
//
// # Differences
//
// After Unmap, the bytes that GetMappedRange returned are all 255: that memory isn't yours any
// more. ComputePassDescriptor.TimestampWrites and FeatureNameSubgroups exist only here. Surfaces,
// textures and rendering are left out. The table in notebooks/webgpu.md lists what comes of wrong
// calls.
package wgpu

import (
	"sync"
	"unsafe"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// here returns the place of the program's call: here's caller is a function of this package.
func here() webgpu.HostSite { return webgpu.Caller(2) }

// must ends a call that has no error to return.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// An engines is the engines that are open: all devices of a program share them.
type engines struct {
	lock sync.Mutex
	open map[shader.AdapterKind]*gpu.Device
}

var shared = engines{open: map[shader.AdapterKind]*gpu.Device{}}

// get opens an engine of a kind, or returns the one that is open and not lost.
func (e *engines) get(kind shader.AdapterKind) (*gpu.Device, error) {
	e.lock.Lock()
	defer e.lock.Unlock()
	if d := e.open[kind]; d != nil && d.Lost() == nil {
		return d, nil
	}
	usage.BeFirstToGo()
	var options []gpu.Option
	if kind != shader.Best {
		options = append(options, gpu.Require(kind))
	}
	d, err := gpu.Open(options...)
	if err == nil {
		e.open[kind] = d
	}
	return d, err
}

// SetLogLevel does nothing: the watched WebGPU logs nothing.
func SetLogLevel(LogLevel) {}

// An Instance is the entry to WebGPU.
type Instance struct{ made *webgpu.Instance }

// InstanceDescriptor selects kinds of drivers. All are considered here.
type InstanceDescriptor struct {
	Backends           InstanceBackend
	Dx12ShaderCompiler Dx12Compiler
	DxilPath           string
	DxcPath            string
}

// CreateInstance makes an instance.
func CreateInstance(*InstanceDescriptor) *Instance {
	return &Instance{webgpu.NewInstance(here(), webgpu.Options{Open: shared.get, Dialect: webgpu.Go, Record: webgpu.Current()})}
}

// RequestAdapterOptions selects an adapter.
type RequestAdapterOptions struct {
	PowerPreference      PowerPreference
	ForceFallbackAdapter bool // a software driver
	BackendType          BackendType
}

// RequestAdapter returns the best adapter: a GPU, else a CPU driver, else the simulator. The
// environment variable WGSLAB_ENGINE narrows the choice.
func (p *Instance) RequestAdapter(options *RequestAdapterOptions) (*Adapter, error) {
	a, err := p.made.RequestAdapter(here(), options != nil && options.ForceFallbackAdapter)
	if err != nil {
		return nil, err
	}
	return &Adapter{a}, nil
}

// InstanceEnumerateAdapterOptons selects kinds of drivers. All are considered here.
type InstanceEnumerateAdapterOptons struct{ Backends InstanceBackend }

// EnumerateAdapters returns the adapter that RequestAdapter returns, if there is one.
func (p *Instance) EnumerateAdapters(*InstanceEnumerateAdapterOptons) []*Adapter {
	a, err := p.made.RequestAdapter(here(), false)
	if err != nil {
		return nil
	}
	return []*Adapter{{a}}
}

// Release releases the instance.
func (p *Instance) Release() { p.made.Release(here()) }

// An Adapter is a GPU, a CPU driver or the simulator.
type Adapter struct{ made *webgpu.Adapter }

// AdapterInfo describes an adapter.
type AdapterInfo struct {
	VendorId          uint32
	VendorName        string
	Architecture      string
	DeviceId          uint32
	Name              string
	DriverDescription string
	AdapterType       AdapterType
	BackendType       BackendType
}

// GetInfo describes the adapter. Its DriverDescription is the line that checks show. The simulator
// has no backend.
func (p *Adapter) GetInfo() AdapterInfo {
	a := p.made.Info()
	kind := map[shader.AdapterKind]AdapterType{shader.GPU: AdapterTypeDiscreteGPU, shader.CPU: AdapterTypeCPU, shader.Simulated: AdapterTypeCPU}[a.Kind]
	backend := map[string]BackendType{"vulkan": BackendTypeVulkan, "metal": BackendTypeMetal, "d3d12": BackendTypeD3D12, shader.BrowserBackend: BackendTypeWebGPU}[a.Backend]
	return AdapterInfo{Name: a.Name, DriverDescription: a.String(), AdapterType: kind, BackendType: backend}
}

// GetLimits returns what the adapter allows at most.
func (p *Adapter) GetLimits() SupportedLimits { return SupportedLimits{p.made.Limits()} }

// EnumerateFeatures returns the features that a device of the adapter can have.
func (p *Adapter) EnumerateFeatures() []FeatureName { return p.made.Features() }

// HasFeature reports whether a device of the adapter can have a feature.
func (p *Adapter) HasFeature(feature FeatureName) bool { return contains(p.made.Features(), feature) }

func contains(all []FeatureName, feature FeatureName) bool {
	for _, f := range all {
		if f == feature {
			return true
		}
	}
	return false
}

// DeviceLostCallback hears why a device was lost.
type DeviceLostCallback func(reason DeviceLostReason, message string)

// RequiredLimits are the limits that a device must have. Start from DefaultLimits.
type RequiredLimits struct{ Limits Limits }

// SupportedLimits are the limits of an adapter or a device.
type SupportedLimits struct{ Limits Limits }

// DeviceDescriptor describes a device.
type DeviceDescriptor struct {
	Label              string
	RequiredFeatures   []FeatureName
	RequiredLimits     *RequiredLimits
	DeviceLostCallback DeviceLostCallback
	TracePath          string
}

// RequestDevice makes a device. A nil descriptor asks for WebGPU's default limits.
func (p *Adapter) RequestDevice(descriptor *DeviceDescriptor) (*Device, error) {
	var desc webgpu.DeviceDescriptor
	if descriptor != nil {
		desc = webgpu.DeviceDescriptor{Label: descriptor.Label, Features: descriptor.RequiredFeatures, Lost: descriptor.DeviceLostCallback}
		if descriptor.RequiredLimits != nil {
			desc.Limits = &descriptor.RequiredLimits.Limits
		}
	}
	d, err := p.made.RequestDevice(here(), desc)
	if err != nil {
		return nil, err
	}
	return &Device{d}, nil
}

// Release releases the adapter.
func (p *Adapter) Release() { p.made.Release(here()) }

// ToBytes returns the bytes of values, in their order in memory. They share the memory.
func ToBytes[E any](src []E) []byte {
	if len(src) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(src))), uintptr(len(src))*unsafe.Sizeof(src[0]))
}

// FromBytes returns the values in bytes, in their order in memory. They share the memory.
func FromBytes[E any](src []byte) []E {
	if len(src) == 0 {
		return nil
	}
	var zero E
	size := unsafe.Sizeof(zero)
	if uintptr(len(src))%size != 0 {
		panic("the bytes don't hold whole values")
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(src))), uintptr(len(src))/size)
}
