package gpu

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cogentcore/webgpu/wgpu"
	"github.com/wgslab/wgslab/pkg/wgsl"
)

// EntryPoint is the name that a kernel's compute function has.
const EntryPoint = "main"

// A Kernel is a compiled compute shader.
type Kernel struct {
	Name   string
	Source string

	device   *Device
	module   *wgsl.Module
	entry    wgsl.EntryPoint
	shader   *wgpu.ShaderModule
	layout   *wgpu.BindGroupLayout
	pipeline *wgpu.ComputePipeline
}

// Compile compiles WGSL with an entry point `main`. A mistake in the shader
// comes back as a *CompileError.
func (d *Device) Compile(name, source string) (*Kernel, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed != nil {
		return nil, d.failed
	}
	k := &Kernel{Name: name, Source: source, device: d}
	if err := d.bounded(compiling(name), k.build); err != nil {
		if d.failed == nil { // else the driver may be at it still
			k.release()
		}
		return nil, err
	}
	d.live[k] = struct{}{}
	return k, nil
}

// byteOrderMark is what some editors put before text; WGSL allows none.
const byteOrderMark = "\uFEFF"

// unreadable finds what must not reach the compiler: a NUL ends the source early
// for it, so that it would judge another shader than the learner wrote; a byte
// order mark cannot be seen; very deep nesting overflows its stack.
func unreadable(name, source string) error {
	if source == "" { // the binding hands no source at all over, and wgpu-native follows a null pointer
		return noEntry(name)
	}
	if at := strings.IndexByte(source, 0); at >= 0 {
		line := 1 + strings.Count(source[:at], "\n")
		return &CompileError{Shader: name, Length: 1, Message: fmt.Sprintf("byte %d of line %d is NUL: this is no text", at-strings.LastIndexByte(source[:at], '\n'), line)}
	}
	if strings.HasPrefix(source, byteOrderMark) {
		return &CompileError{Shader: name, Length: 1, Message: "the file begins with a byte order mark, which cannot be seen: save it as UTF-8 without one"}
	}
	if line, column, tooDeep := wgsl.TooDeep(source); tooDeep {
		e := &CompileError{Shader: name, Length: 1, Message: "the code nests too deep here for the compiler: take it apart"}
		e.at(source, line, column)
		return e
	}
	return nil
}

// Free gives the kernel back ahead of the device's Close.
func (k *Kernel) Free() { k.device.free(k) }

// WorkgroupSize is the number of invocations of a workgroup in x, y and z.
func (k *Kernel) WorkgroupSize() [3]uint32 { return k.entry.WorkgroupSize }

// Declares is what the shader declares: its bindings, its workgroup variables.
func (k *Kernel) Declares() *wgsl.Module { return k.module }

func (k *Kernel) build() error {
	if err := unreadable(k.Name, k.Source); err != nil {
		return err
	}
	source := strings.ToValidUTF8(k.Source, "\uFFFD")
	var err error
	if k.shader, err = k.compileModule(source); err != nil {
		return newCompileError(k.Name, source, err.Error())
	}
	if k.module, err = wgsl.Parse(source); err != nil {
		return &CompileError{Shader: k.Name, Length: 1, Message: err.Error()}
	}
	if err = k.findEntry(); err != nil {
		return err
	}
	if err = k.checkWorkgroup(); err != nil {
		return err
	}
	if err = k.checkBindingNumbers(); err != nil {
		return err
	}
	return k.buildPipeline(source)
}

func (k *Kernel) compileModule(source string) (module *wgpu.ShaderModule, err error) {
	scoped := k.device.guarded(func() {
		module, err = k.device.device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{
			WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: source},
		})
	})
	return module, errors.Join(err, scoped)
}

func (k *Kernel) findEntry() error {
	entry, found := k.module.Entry(EntryPoint)
	if !found {
		return noEntry(k.Name)
	}
	k.entry = entry
	return nil
}

func noEntry(shader string) *CompileError {
	return &CompileError{Shader: shader, Length: 1, Message: "there is no entry point: a function `main` marked @compute"}
}

// checkWorkgroup says what the compiler would say late and in its own terms.
func (k *Kernel) checkWorkgroup() error {
	size, limits := k.entry.WorkgroupSize, k.device.adapter.Limits
	if total := uint64(size[0]) * uint64(size[1]) * uint64(size[2]); total > uint64(limits.InvocationsPerWorkgroup) {
		return k.entryError(fmt.Sprintf("@workgroup_size(%d, %d, %d) makes %d invocations; %s runs at most %d in a workgroup",
			size[0], size[1], size[2], total, k.device.adapter.Name, limits.InvocationsPerWorkgroup))
	}
	for i, axis := range "xyz" {
		if size[i] < 1 || size[i] > limits.WorkgroupSize[i] {
			return k.entryError(fmt.Sprintf("@workgroup_size has %d in %c; it must be from 1 to %d", size[i], axis, limits.WorkgroupSize[i]))
		}
	}
	return k.checkWorkgroupMemory()
}

// checkWorkgroupMemory: wgpu lets a shader ask for more than there is, and what
// the driver then does is its own affair.
func (k *Kernel) checkWorkgroupMemory() error {
	var bytes uint64
	for _, v := range k.module.Workgroup {
		bytes += v.Type.Size
	}
	if limit := k.device.adapter.Limits.WorkgroupStorageBytes; bytes > uint64(limit) {
		return k.entryError(fmt.Sprintf("the var<workgroup> variables take %d bytes; %s has %d bytes for a workgroup", bytes, k.device.adapter.Name, limit))
	}
	return nil
}

func (k *Kernel) entryError(message string) *CompileError {
	e := &CompileError{Shader: k.Name, Message: message, Length: len(EntryPoint)}
	e.at(k.Source, k.entry.Line, k.entry.Column)
	return e
}

// checkBindingNumbers: two variables in one place are the compiler's business
// only where both are used, and the driver names neither.
func (k *Kernel) checkBindingNumbers() error {
	for i, b := range k.module.Bindings[min(1, len(k.module.Bindings)):] {
		before := k.module.Bindings[i]
		if before.Group != b.Group || before.Number != b.Number {
			continue
		}
		e := &CompileError{Shader: k.Name, Length: len([]rune(b.Name)), Message: fmt.Sprintf(
			"`%s` is at @group(%d) @binding(%d), but `%s` (line %d) is there already", b.Name, b.Group, b.Number, before.Name, before.Line)}
		e.at(k.Source, b.Line, b.Column)
		return e
	}
	return nil
}

// buildPipeline lays the bind group out from what the shader declares, not from
// what it uses: a binding that the learner does not use yet is no mistake.
func (k *Kernel) buildPipeline(source string) error {
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
			Compute: wgpu.ProgrammableStageDescriptor{Module: k.shader, EntryPoint: EntryPoint},
		})
	})
	if err := errors.Join(failure, scoped); err != nil {
		return newCompileError(k.Name, source, err.Error())
	}
	return nil
}

var bindingTypes = map[wgsl.Space]wgpu.BufferBindingType{
	wgsl.Uniform:   wgpu.BufferBindingTypeUniform,
	wgsl.ReadOnly:  wgpu.BufferBindingTypeReadOnlyStorage,
	wgsl.ReadWrite: wgpu.BufferBindingTypeStorage,
}

func (k *Kernel) layoutEntries() ([]wgpu.BindGroupLayoutEntry, error) {
	var entries []wgpu.BindGroupLayoutEntry
	for _, b := range k.module.Bindings {
		kind, isBuffer := bindingTypes[b.Space]
		if b.Group != 0 || !isBuffer {
			return nil, &BindError{Shader: k.Name, Binding: int(b.Number), Name: b.Name, Message: fmt.Sprintf(
				"`%s` is at @group(%d) @binding(%d) in <%s>; the lessons use buffers in @group(0) only", b.Name, b.Group, b.Number, b.Space)}
		}
		entries = append(entries, wgpu.BindGroupLayoutEntry{
			Binding:    b.Number,
			Visibility: wgpu.ShaderStageCompute,
			Buffer:     wgpu.BufferBindingLayout{Type: kind},
		})
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
	if k.shader != nil {
		k.shader.Release()
	}
}
