package gpu

import (
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// A Kernel is a compiled compute shader. Device.Compile makes it.
type Kernel struct {
	Name string

	device *Device
	source *shader.Source
	entry  wgsl.EntryPoint
	made   *made // nil before it is built
}

// Compile compiles WGSL with an entry point `main`. It reports a mistake in the shader as a
// *CompileError.
func (d *Device) Compile(name, source string) (*Kernel, error) {
	return d.CompileSource(shader.Read(name, source))
}

// CompileSource is Compile for a source that shader.Read has read.
func (d *Device) CompileSource(source *shader.Source) (*Kernel, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return nil, err
	}
	k := &Kernel{Name: source.Name, device: d, source: source, made: d.kept.find(source)}
	if err := d.bounded(compiling(source.Name), k.build); err != nil {
		d.dispose(k.release)
		return nil, err
	}
	d.live[k] = struct{}{}
	if gone := d.kept.add(k.made); gone != nil {
		d.dispose(gone.release)
	}
	return k, nil
}

// Prepare makes the driver do the work of the kernel's first run in advance: Mesa's CPU driver
// compiles the shader only then. No workgroup runs. The buffers are as for Pass.
func (k *Kernel) Prepare(buffers ...*Buffer) error {
	pass, err := k.Pass([3]uint32{1, 1, 1}, buffers...)
	if err != nil {
		return err
	}
	defer pass.Free()
	pass.workgroups = [3]uint32{}
	return k.device.Run(pass)
}

// Free frees the kernel before the device's Close.
func (k *Kernel) Free() { k.device.free(k) }

// Source returns the shader that was compiled.
func (k *Kernel) Source() *shader.Source { return k.source }

// WorkgroupSize returns how many invocations a workgroup has in x, y and z.
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
	if k.made != nil {
		return nil
	}
	program, err := k.device.platform.compile(k.source)
	if err != nil {
		return err
	}
	k.made = &made{program: program, name: k.source.Name, text: k.source.Text, entry: k.source.EntryPoint(), users: 1}
	return nil
}

func (k *Kernel) release() {
	if k.made != nil {
		k.made.release()
	}
}
