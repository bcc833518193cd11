package gpu

import (
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// A Kernel is a compiled compute shader.
type Kernel struct {
	Name string

	device  *Device
	source  *shader.Source
	entry   wgsl.EntryPoint
	program program
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
		d.dispose(k.release)
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
	if err := k.source.CheckLayout(); err != nil {
		return err
	}
	k.program, err = k.device.platform.compile(k.source)
	return err
}

func (k *Kernel) release() {
	if k.program != nil {
		k.program.release()
	}
}
