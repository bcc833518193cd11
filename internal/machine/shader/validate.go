package shader

import (
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The checks below run before a driver sees the shader. A driver would report these mistakes late,
// in its own terms, or not at all.

// Entry finds the entry point of a compiled shader and checks that an adapter can run it: its
// workgroup fits the limits.
func (s *Source) Entry(on Adapter) (wgsl.EntryPoint, error) {
	pipeline, err := s.Pipeline()
	if err != nil {
		return wgsl.EntryPoint{}, err
	}
	entry, _ := s.module().Entry(s.EntryPoint())
	for _, wrong := range []*CompileError{s.checkWorkgroup(entry, on), s.checkWorkgroupMemory(entry, pipeline, on)} {
		if wrong != nil {
			return entry, wrong
		}
	}
	return entry, nil
}

func (s *Source) entryError(entry wgsl.EntryPoint, kind findings.Kind, format string, arguments ...any) *CompileError {
	return s.Error(kind, entry.Line, entry.Column, len(s.EntryPoint()), fmt.Sprintf(format, arguments...))
}

func (s *Source) checkWorkgroup(entry wgsl.EntryPoint, on Adapter) *CompileError {
	size, limits := entry.WorkgroupSize, on.Limits
	if total := uint64(size[0]) * uint64(size[1]) * uint64(size[2]); total > uint64(limits.InvocationsPerWorkgroup) {
		return s.entryError(entry, findings.WorkgroupSize, "@workgroup_size(%d, %d, %d) makes %d invocations; %s runs at most %d in a workgroup",
			size[0], size[1], size[2], total, on.Name, limits.InvocationsPerWorkgroup)
	}
	for i, axis := range "xyz" {
		if size[i] < 1 || size[i] > limits.WorkgroupSize[i] {
			return s.entryError(entry, findings.WorkgroupSize, "@workgroup_size has %d in %c; it must be from 1 to %d", size[i], axis, limits.WorkgroupSize[i])
		}
	}
	return nil
}

// checkWorkgroupMemory reports shaders that use more workgroup memory than the adapter has. wgpu
// accepts them, and drivers then handle them differently.
func (s *Source) checkWorkgroupMemory(entry wgsl.EntryPoint, pipeline *types.Pipeline, on Adapter) *CompileError {
	bytes, limit := pipeline.WorkgroupBytes(), on.Limits.WorkgroupStorageBytes
	if bytes > uint64(limit) {
		return s.entryError(entry, findings.WorkgroupMemory, "the var<workgroup> variables take %d bytes; %s has %d bytes for a workgroup", bytes, on.Name, limit)
	}
	return nil
}

// BindingKinds maps an address space to WebGPU's name for the binding.
var BindingKinds = map[wgsl.Space]string{
	wgsl.Uniform: "uniform", wgsl.ReadOnly: "read-only-storage", wgsl.ReadWrite: "storage",
}

// CheckLayout checks that the shader declares only buffers, all in @group(0): engines bind nothing
// else.
func (s *Source) CheckLayout() error {
	for _, b := range s.laid(s.module()) {
		if _, isBuffer := BindingKinds[b.Space]; b.Group != 0 || !isBuffer {
			return &BindError{Shader: s.Name, Binding: int(b.Number), Name: b.Name, Message: fmt.Sprintf(
				"`%s` is at @group(%d) @binding(%d) in <%s>; the lessons use buffers in @group(0) only", b.Name, b.Group, b.Number, b.Space)}
		}
	}
	return nil
}

// A Bound is what the host provides at a binding: a kind of buffer, its size and its identity.
type Bound struct {
	Element Element // Words for a uniform
	Bytes   uint64
	ID      any // equal for the same buffer; nil if no buffer is given
}

func (b Bound) describe() string {
	if b.Element == Words {
		return fmt.Sprintf("a uniform buffer of %d bytes", b.Bytes)
	}
	return fmt.Sprintf("a storage buffer of %d %s (%d bytes)", b.Bytes/ElementBytes, b.Element, b.Bytes)
}

// CheckDispatch checks that a dispatch fits the shader and the adapter: the buffers match the
// declarations, the number of workgroups is within the limits, and the shader can end.
func (s *Source) CheckDispatch(on Adapter, workgroups [3]uint32, bound []Bound) error {
	if err := s.checkBindings(bound); err != nil {
		return err
	}
	limit := on.Limits.WorkgroupsPerDimension
	for i, axis := range "xyz" {
		if n := workgroups[i]; n < 1 || n > limit {
			return fmt.Errorf("%s: %d workgroups in %c; it must be from 1 to %d", s.Name, n, axis, limit)
		}
	}
	if endless := s.module().Endless; len(endless) > 0 {
		return &EndlessError{Shader: s.Name, Line: endless[0].Line, Column: endless[0].Column}
	}
	return nil
}

func (s *Source) checkBindings(bound []Bound) error {
	declared := map[int]wgsl.Binding{}
	for _, b := range s.laid(s.module()) {
		declared[int(b.Number)] = b
		if int(b.Number) >= len(bound) {
			return s.bindError(b, fmt.Sprintf("your shader declares `%s` at @binding(%d), but the host gives %s", b.Name, b.Number, bindingsFrom0(len(bound))))
		}
	}
	for i, buffer := range bound {
		b, ok := declared[i]
		if buffer.ID == nil {
			return &BindError{Shader: s.Name, Binding: i, Name: b.Name, Message: fmt.Sprintf("the host gives no buffer at @binding(%d)", i)}
		}
		if !ok {
			return &BindError{Shader: s.Name, Binding: i, Message: fmt.Sprintf("the host gives %s at @binding(%d), but your shader declares nothing there: %s", buffer.describe(), i, s.forBinding())}
		}
		if message := misfit(b, buffer); message != "" {
			return s.bindError(b, message)
		}
		first := slices.IndexFunc(bound, func(other Bound) bool { return other.ID == buffer.ID })
		if first < i && (b.Space == wgsl.ReadWrite || declared[first].Space == wgsl.ReadWrite) {
			return s.bindError(b, fmt.Sprintf("the host gives the same buffer at @binding(%d) and @binding(%d), but your shader may write to it: WebGPU lets you bind a buffer only once if it is written", first, i))
		}
	}
	return nil
}

// forBinding says what to do about a missing declaration: change the number of one that shares it
// with another, or add one.
func (s *Source) forBinding() string {
	all := s.module().Bindings
	for i, b := range all[min(1, len(all)):] {
		if before := all[i]; before.Group == b.Group && before.Number == b.Number {
			return fmt.Sprintf("`%s` (line %d) and `%s` (line %d) are both at @binding(%d)", before.Name, before.Line, b.Name, b.Line, b.Number)
		}
	}
	return "add the binding, even if you don't use it yet"
}

func bindingsFrom0(n int) string {
	switch n {
	case 0:
		return "no buffers"
	case 1:
		return "only @binding(0)"
	}
	return fmt.Sprintf("only @binding(0) to @binding(%d)", n-1)
}

func (s *Source) bindError(b wgsl.Binding, message string) *BindError {
	return &BindError{Shader: s.Name, Binding: int(b.Number), Name: b.Name, Message: message}
}

// misfit returns the reason why a buffer cannot be bound to b, or "" if it can.
func misfit(b wgsl.Binding, buffer Bound) string {
	uniform := buffer.Element == Words
	because := func(format string, arguments ...any) string {
		return fmt.Sprintf("@binding(%d): your shader declares `%s` as var<%s> of %s", b.Number, b.Name, b.Space, b.Type.Text) + fmt.Sprintf(format, arguments...)
	}
	switch {
	case uniform && b.Space != wgsl.Uniform:
		return because("; the host gives a uniform buffer. Write var<uniform> there") // its bytes are padded, and count for nothing here
	case b.Space == wgsl.Uniform && !uniform:
		return because("; the host gives %s. Write var<storage, read> there, or var<storage, read_write> to write to it", buffer.describe())
	case !uniform && b.Type.Element != "" && b.Type.Element != string(buffer.Element):
		return because(", so its elements are %s; the host gives %s", b.Type.Element, buffer.describe())
	case buffer.Bytes < b.Type.Size:
		return because(", at least %d bytes; the host gives %s. Sizes count bytes, not elements: one f32 is 4 bytes", b.Type.Size, buffer.describe())
	case uniform && buffer.Bytes%UniformRow != 0:
		return because("; the host gives %s, but the size of a uniform buffer must be a multiple of %d bytes: pad it", buffer.describe(), UniformRow)
	}
	return ""
}
