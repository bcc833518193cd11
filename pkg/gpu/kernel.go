package gpu

import (
	"errors"

	"github.com/cogentcore/webgpu/wgpu"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// A Kernel is a compiled compute shader.
type Kernel struct {
	Name string

	device   *Device
	source   *shader.Source
	entry    wgsl.EntryPoint
	module   *wgpu.ShaderModule
	layout   *wgpu.BindGroupLayout
	pipeline *wgpu.ComputePipeline
}

// Compile compiles WGSL with an entry point `main`. A mistake in the shader
// comes back as a *CompileError.
func (d *Device) Compile(name, source string) (*Kernel, error) {
	return d.CompileSource(shader.Read(name, source))
}

// CompileSource is Compile for a shader that was read already.
func (d *Device) CompileSource(source *shader.Source) (*Kernel, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return nil, err
	}
	k := &Kernel{Name: source.Name, device: d, source: source}
	if err := d.bounded(compiling(source.Name), k.build); err != nil {
		switch {
		case d.abandoned != nil:
			d.orphans = append(d.orphans, k.release)
		case d.failed == nil: // else the driver may be at it still
			k.release()
		}
		return nil, err
	}
	d.live[k] = struct{}{}
	return k, nil
}

// Free gives the kernel back ahead of the device's Close.
func (k *Kernel) Free() { k.device.free(k) }

// Source is the shader that was compiled.
func (k *Kernel) Source() *shader.Source { return k.source }

// WorkgroupSize is the number of invocations of a workgroup in x, y and z.
func (k *Kernel) WorkgroupSize() [3]uint32 { return k.entry.WorkgroupSize }

func (k *Kernel) build() error {
	if mistake := k.source.Mistake(); mistake != nil {
		return mistake
	}
	var err error
	if k.entry, err = k.source.Entry(k.device.adapter); err != nil {
		return err
	}
	if k.module, err = k.compileModule(k.source.Text); err != nil {
		return newCompileError(k.source, err.Error())
	}
	return k.buildPipeline()
}

func (k *Kernel) compileModule(source string) (module *wgpu.ShaderModule, err error) {
	scoped := k.device.guarded(func() {
		module, err = k.device.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
			WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: source},
		})
	})
	return module, errors.Join(err, scoped)
}

// buildPipeline lays the bind group out from what the shader declares, not from
// what it uses: a binding that the learner does not use yet is no mistake.
func (k *Kernel) buildPipeline() error {
	if err := k.source.CheckLayout(); err != nil {
		return err
	}
	entries, err := k.layoutEntries()
	if err != nil {
		return err
	}
	device := k.device.device
	var failure error
	scoped := k.device.guarded(func() {
		if k.layout, failure = device.CreateBindGroupLayout(&wgpu.BindGroupLayoutDescriptor{Entries: entries}); failure != nil {
			return
		}
		var layout *wgpu.PipelineLayout
		if layout, failure = device.CreatePipelineLayout(&wgpu.PipelineLayoutDescriptor{BindGroupLayouts: []*wgpu.BindGroupLayout{k.layout}}); failure != nil {
			return
		}
		defer layout.Release()
		k.pipeline, failure = device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
			Layout:  layout,
			Compute: wgpu.ProgrammableStageDescriptor{Module: k.module, EntryPoint: shader.EntryPoint},
		})
	})
	if err := errors.Join(failure, scoped); err != nil {
		return newCompileError(k.source, err.Error())
	}
	return nil
}

var bindingTypes = map[wgsl.Space]wgpu.BufferBindingType{
	wgsl.Uniform:   wgpu.BufferBindingTypeUniform,
	wgsl.ReadOnly:  wgpu.BufferBindingTypeReadOnlyStorage,
	wgsl.ReadWrite: wgpu.BufferBindingTypeStorage,
}

func (k *Kernel) layoutEntries() ([]wgpu.BindGroupLayoutEntry, error) {
	module, err := k.source.Module()
	if err != nil {
		return nil, err
	}
	entries := make([]wgpu.BindGroupLayoutEntry, len(module.Bindings))
	for i, b := range module.Bindings {
		entries[i] = wgpu.BindGroupLayoutEntry{
			Binding:    b.Number,
			Visibility: wgpu.ShaderStageCompute,
			Buffer:     wgpu.BufferBindingLayout{Type: bindingTypes[b.Space]},
		}
	}
	return entries, nil
}

func (k *Kernel) release() {
	if k.pipeline != nil {
		k.pipeline.Release()
	}
	if k.layout != nil {
		k.layout.Release()
	}
	if k.module != nil {
		k.module.Release()
	}
}
