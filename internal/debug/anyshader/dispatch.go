// Package anyshader prepares the passes of a shader without an exercise for those who count.
package anyshader

import (
	"errors"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/debug/bufferspec"
	"github.com/wgslab/wgslab/internal/english"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/sim"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Dispatched returns a pass with the buffers as they are now, for a count of its costs or a trace.
func Dispatched(source *shader.Source, pass bufferspec.EntryRun, given []*bufferspec.Argument) (d shader.Dispatch, err error) {
	program, err := bufferspec.Compile(source, pass.Entry, nil, false)
	if err != nil {
		return d, err
	}
	workgroups, nothing, err := pass.Counts(program, given)
	if err == nil && nothing != nil {
		err = errors.New(nothing.Message)
	}
	if err != nil {
		return d, err
	}
	d.Workgroups = workgroups
	d.Buffers, err = inOrder(source, program, given)
	return d, err
}

// inOrder returns the buffers of @group(0) by their bindings. It leaves out a buffer that the
// shader doesn't declare, such as one that only holds numbers of workgroups.
func inOrder(source *shader.Source, program *sim.Program, given []*bufferspec.Argument) ([]shader.Buffer, error) {
	module, err := source.Module()
	if err != nil {
		return nil, err
	}
	buffers := make([]shader.Buffer, len(module.Bindings))
	for _, b := range given {
		at := -1
		for i, declared := range module.Bindings {
			if declared.Group == b.Group && declared.Number == b.Binding {
				at = i
			}
		}
		switch {
		case at < 0:
			continue
		case b.Group != 0 || int(b.Binding) != at:
			return nil, fmt.Errorf("bind: there is a buffer for @group(%d) @binding(%d), and %s in all: this needs those of @group(0), numbered from 0 without a gap",
				b.Group, b.Binding, english.Count(len(given), "buffer", "buffers"))
		}
		if module.Bindings[at].Space == wgsl.Handle {
			return nil, fmt.Errorf("`%s` is a texture or a sampler: this counts buffers only", module.Bindings[at].Name)
		}
		if err := b.Fit(program); err != nil {
			return nil, fmt.Errorf("bind %w", err)
		}
		buffers[at] = shader.Buffer{Element: elementOf(module.Bindings[at], b), Bytes: b.Data}
		if buffers[at].IsUniform() && len(b.Data)%shader.UniformRow != 0 { // another pass uses it
			buffers[at].Bytes = append(slices.Clip(b.Data), make([]byte, shader.UniformRow-len(b.Data)%shader.UniformRow)...)
		}
	}
	if missing := slices.IndexFunc(buffers, func(b shader.Buffer) bool { return b.Bytes == nil }); missing >= 0 {
		return nil, fmt.Errorf("bind: no buffer is given for `%s` at @binding(%d)", module.Bindings[missing].Name, module.Bindings[missing].Number)
	}
	return buffers, nil
}

// elementOf returns what a buffer's elements are: a uniform has none. The bytes of a file are of
// the type that the shader declares.
func elementOf(declared wgsl.Binding, b *bufferspec.Argument) shader.Element {
	switch {
	case declared.Space == shader.Uniform:
		return shader.Words
	case declared.Type.Element != "":
		return shader.Element(declared.Type.Element)
	}
	return shader.Element(types.ElemOf(b.Element).String())
}
