package gpu

import (
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// A Pipeline is a compiled compute shader. Device.Compile makes it.
type Pipeline struct {
	Name string

	device *Device
	source *shader.Source
	entry  wgsl.EntryPoint
	used   bool  // only the bindings that the entry point uses are laid out
	made   *made // nil before it is built
}

// Compile compiles WGSL with an entry point `main`. It reports a mistake in the shader as a
// *CompileError.
func (d *Device) Compile(name, source string) (*Pipeline, error) {
	return d.CompileSource(shader.Read(name, source))
}

// CompileSource is Compile for a source that shader.Read has read.
func (d *Device) CompileSource(source *shader.Source) (*Pipeline, error) {
	return d.compile(source, false)
}

// CompileUsed is CompileSource for a host that binds only the buffers that the entry point uses, in
// groups of any number.
func CompileUsed(d *Device, source *shader.Source) (*Pipeline, error) {
	return d.compile(source, true)
}

func (d *Device) compile(source *shader.Source, used bool) (*Pipeline, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return nil, err
	}
	k := &Pipeline{Name: source.Name, device: d, source: source, used: used, made: d.cache.find(source, used)}
	if err := d.bounded(compiling(source.Name), k.build); err != nil {
		d.dispose(k.release)
		return nil, err
	}
	d.live[k] = struct{}{}
	if gone := d.cache.add(k.made); gone != nil {
		d.dispose(gone.release)
	}
	return k, nil
}

// Prepare makes the driver do the work of the pipeline's first run in advance: Mesa's CPU driver
// compiles the shader only then. No workgroup runs. The buffers are as for Pass.
func (k *Pipeline) Prepare(buffers ...*Buffer) error {
	pass, err := k.Pass([3]uint32{1, 1, 1}, buffers...)
	if err != nil {
		return err
	}
	defer pass.Free()
	pass.workgroups = [3]uint32{}
	return k.device.Run(pass)
}

// Free frees the pipeline before the device's Close.
func (k *Pipeline) Free() { k.device.free(k) }

// Source returns the shader that was compiled.
func (k *Pipeline) Source() *shader.Source { return k.source }

// WorkgroupSize returns how many invocations a workgroup has in x, y and z.
func (k *Pipeline) WorkgroupSize() [3]uint32 { return k.entry.WorkgroupSize }

func (k *Pipeline) build() error {
	if mistake := k.source.Mistake(); mistake != nil {
		return mistake
	}
	var err error
	if k.entry, err = k.source.Entry(k.device.adapter); err != nil {
		return err
	}
	if !k.used {
		if err := k.source.CheckLayout(); err != nil {
			return err
		}
	}
	if k.made != nil {
		return nil
	}
	laid, err := k.laidOut()
	if err != nil {
		return err
	}
	program, err := k.device.platform.compile(k.source, laid)
	if err != nil {
		return err
	}
	k.made = &made{program: program, name: k.source.Name, text: k.source.Text, entry: k.source.EntryPoint(), constants: k.source.Constants(), used: k.used, users: 1}
	return nil
}

// laidOut returns the bindings in the pipeline's layout. Usually these are the shader's
// declarations, not its uses: a binding that the learner does not use yet is not a mistake.
func (k *Pipeline) laidOut() ([]wgsl.Binding, error) {
	if k.used {
		return k.source.Used()
	}
	return k.source.Bindings()
}

func (k *Pipeline) release() {
	if k.made != nil {
		k.made.release()
	}
}
