package desk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// outline lists what a host has to know of a shader.
func outline(source *shader.Source) *protocol.Outline {
	o := &protocol.Outline{Bindings: []protocol.OutlineBinding{}, Entries: []protocol.OutlineEntry{}, Overrides: []protocol.OutlineOverride{}}
	if source.Unrunnable() != nil {
		return o
	}
	o.Read = true
	front := source.Shader()
	elements := 0
	for _, e := range front.Info.EntryPoints {
		if e.Stage == types.ComputeStage {
			entry, covers := outlineEntry(front.Info, e)
			o.Entries, elements = append(o.Entries, entry), max(elements, covers)
		}
	}
	reads := slices.ContainsFunc(front.Info.Globals, func(v *types.Object) bool { return access(v) == string(shader.ReadOnly) })
	for _, v := range front.Info.Globals {
		if v.Group != nil && v.Binding != nil {
			o.Bindings = append(o.Bindings, protocol.OutlineBinding{
				Place: fmt.Sprintf("%d.%d", *v.Group, *v.Binding), Name: v.Name, Type: fmt.Sprint(v.Store()), Access: access(v),
				Propose: anyshader.Propose(v, max(elements, usualElements), reads && writes(v)),
			})
		}
	}
	for _, v := range front.Info.Overrides {
		listed := protocol.OutlineOverride{Key: v.OverrideKey(), Name: v.Name, Type: fmt.Sprint(v.Type)}
		if d, is := v.Decl.(*syntax.OverrideDecl); is && d.Init != nil {
			listed.Default = front.Source.Slice(d.Init.Span())
		}
		o.Overrides = append(o.Overrides, listed)
	}
	return o
}

// usualElements is the length that is proposed for arrays, and the invocations along an axis if a
// workgroup has only one.
const usualElements = 64

// outlineEntry describes an entry point, and proposes two workgroups along each axis that it uses:
// with only one, nothing goes wrong between workgroups. covers is how many invocations that makes.
func outlineEntry(info *types.Info, e *types.EntryPoint) (entry protocol.OutlineEntry, covers int) {
	entry.Name = e.Object.Name
	pipeline, found := info.Pipeline(e, guessed(e.Overrides))
	if findings.HasErrors(found) {
		entry.Propose = "2"
		return entry, 0
	}
	size := pipeline.WorkgroupSize
	if !slices.ContainsFunc(e.WorkgroupSize[:], func(d types.Dimension) bool { return d.Value == 0 }) {
		entry.Size = strings.ReplaceAll(axes(size, size), ",", " × ")
	}
	groups := [3]uint32{2, 1, 1}
	if size == [3]uint32{1, 1, 1} {
		groups[0] = usualElements
	}
	for axis := 1; axis < len(size); axis++ {
		if size[axis] > 1 {
			groups[axis] = 2
		}
	}
	entry.Propose, covers = axes(groups, groups), 1
	for axis := range size {
		covers *= int(size[axis] * groups[axis])
	}
	return entry, covers
}

// guessed returns a value for each override that has none.
func guessed(overrides []*types.Object) map[string]float64 {
	constants := map[string]float64{}
	for _, v := range overrides {
		if d, is := v.Decl.(*syntax.OverrideDecl); is && d.Init == nil {
			constants[v.OverrideKey()] = 1
		}
	}
	return constants
}

// writes reports whether the shader may write to a resource.
func writes(v *types.Object) bool {
	if t, is := v.Store().(*types.Texture); is {
		return t.Access.Writes()
	}
	return v.Access().Writes()
}

// access returns the address space and the access mode of a resource, as WGSL writes them; "" for
// textures and samplers.
func access(v *types.Object) string {
	switch {
	case v.Space() == types.SpaceUniform:
		return string(shader.Uniform)
	case v.Space() != types.SpaceStorage:
		return ""
	case !v.Access().Writes():
		return string(shader.ReadOnly)
	}
	return string(shader.ReadWrite)
}
