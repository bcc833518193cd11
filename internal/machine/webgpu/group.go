package webgpu

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// WholeSize binds a buffer up to its end.
const WholeSize = ^uint64(0)

// A BindGroupEntry gives a buffer to a binding.
type BindGroupEntry struct {
	Binding      uint32
	Buffer       *Buffer
	Offset, Size uint64 // in bytes; WholeSize for the rest of the buffer
}

// Bound returns the size of what is bound.
func (e BindGroupEntry) Bound() uint64 {
	if e.Size == WholeSize && e.Buffer != nil {
		return e.Buffer.Size - min(e.Offset, e.Buffer.Size)
	}
	return e.Size
}

// A BindGroup gives buffers to the bindings of a group.
type BindGroup struct {
	HostObject
	Layout  *BindGroupLayout
	Entries []BindGroupEntry // by binding; sizes are set

	users int
	made  map[groupKey]*gpu.Group
}

// A groupKey is what an engine's bind group depends on, beside the bind group.
type groupKey struct {
	pipeline *ComputePipeline
	number   uint32
	offsets  string
}

// CreateBindGroup makes a bind group (§ Bind Group Creation).
func (d *Device) CreateBindGroup(at HostSite, label string, layout *BindGroupLayout, entries []BindGroupEntry) (*BindGroup, error) {
	g := &BindGroup{Layout: layout, Entries: slices.Clone(entries), users: 1}
	call := d.begin("createBindGroup", at, &d.HostObject, &g.HostObject, 0)
	defer d.record.mu.Unlock()
	d.object(&g.HostObject, "bind group", label, at)
	d.repairedEntry(g.Entries)
	slices.SortStableFunc(g.Entries, func(a, b BindGroupEntry) int { return int(a.Binding) - int(b.Binding) })
	if m := d.checkGroup(at, g); m != nil {
		return g, d.fail(call, &g.HostObject, m)
	}
	for i, e := range g.Entries {
		g.Entries[i].Size = e.Bound()
		e.Buffer.users++
	}
	keep(d.record, &d.record.Groups, g)
	d.releases = append(d.releases, g.free)
	return g, d.alive(at)
}

func (d *Device) checkGroup(at HostSite, g *BindGroup) *Mistake {
	if g.Layout == nil {
		return d.missing(at, "createBindGroup", "layout")
	}
	if m := d.usable(at, &g.Layout.HostObject); m != nil {
		return m
	}
	for i, e := range g.Entries {
		if i > 0 && g.Entries[i-1].Binding == e.Binding {
			return d.mistake("group-entry-twice", at, nil, facts{"binding": e.Binding})
		}
		l, ok := g.Layout.entry(e.Binding)
		if !ok {
			return d.mistake("group-entry-unknown", at, nil, facts{"binding": e.Binding, "layout": g.layoutName(), "bindings": g.Layout.bindings(), "unused": g.unused(e.Binding)})
		}
		if m := d.checkEntry(at, g, e, l.Buffer); m != nil {
			return m
		}
	}
	for _, l := range g.Layout.Entries {
		if !slices.ContainsFunc(g.Entries, func(e BindGroupEntry) bool { return e.Binding == l.Binding }) {
			return d.mistake("group-entry-missing", at, nil, facts{"binding": l.Binding, "variable": g.Layout.variable(l.Binding)})
		}
	}
	return nil
}

func (g *BindGroup) layoutName() string {
	if g.Layout.exclusive != nil {
		return "the automatic layout"
	}
	return g.Layout.Name()
}

// unused says that an automatic layout lacks a binding because the shader doesn't use it.
func (g *BindGroup) unused(binding uint32) string {
	if p := g.Layout.exclusive; p != nil {
		if name := p.declaredOnly(g.Layout.group, binding); name != "" {
			return fmt.Sprintf(" The shader declares `%s` there but doesn't use it.", name)
		}
	}
	return ""
}

// theShader stands for the name of a mistake's shader.
const theShader = "the shader"

func (d *Device) checkEntry(at HostSite, g *BindGroup, e BindGroupEntry, l BufferBindingLayout) *Mistake {
	if e.Buffer == nil {
		return d.mistake("group-entry-resource", at, nil, facts{"binding": e.Binding})
	}
	if m := d.usable(at, &e.Buffer.HostObject); m != nil {
		return m
	}
	f := facts{"buffer": e.Buffer, "binding": e.Binding, "usage": e.Buffer.Usage, "given": e.Bound(), "needed": e.Buffer.Size, "variable": g.Layout.variable(e.Binding)}
	f["declared"] = "Add"
	if _, variable, automatic := strings.Cut(g.Layout.variable(e.Binding), " for "); automatic {
		f["declared"], f["shader"] = fmt.Sprintf("At that binding, %s has %s: if this buffer is for it, add", theShader, variable), g.Layout.exclusive.Module
	}
	uniform := l.Type == BufferBindingTypeUniform
	switch {
	case uniform && e.Buffer.Usage&gpu.UsageUniform == 0:
		return d.mistake("group-usage-uniform", at, &e.Buffer.HostObject, f)
	case !uniform && e.Buffer.Usage&gpu.UsageStorage == 0:
		return d.mistake("group-usage-storage", at, &e.Buffer.HostObject, f)
	case e.Bound() == 0 || e.Size == WholeSize && e.Offset >= e.Buffer.Size:
		return d.mistake("group-entry-empty", at, nil, f)
	case !within(e.Offset, e.Bound(), e.Buffer.Size):
		f["given"] = e.Offset + e.Bound()
		return d.mistake("group-entry-range", at, &e.Buffer.HostObject, f)
	case e.Bound() < l.MinBindingSize:
		f["needed"] = l.MinBindingSize
		return d.mistake("group-entry-size", at, &e.Buffer.HostObject, f)
	}
	return d.checkBindingLimits(at, e, uniform, f)
}

func (d *Device) checkBindingLimits(at HostSite, e BindGroupEntry, uniform bool, f facts) *Mistake {
	most, step, limit, offset := d.limits.MaxStorageBufferBindingSize, d.limits.MinStorageBufferOffsetAlignment, "group-storage-limit", "group-storage-offset"
	if uniform {
		most, step, limit, offset = d.limits.MaxUniformBufferBindingSize, d.limits.MinUniformBufferOffsetAlignment, "group-uniform-limit", "group-uniform-offset"
	}
	switch {
	case e.Bound() > most:
		f["needed"] = most
		return d.mistake(limit, at, nil, f)
	case !uniform && e.Bound()%wordBytes != 0:
		return d.mistake("group-storage-multiple", at, nil, f)
	case e.Offset%uint64(step) != 0:
		f["given"], f["needed"] = e.Offset, uint64(step)
		return d.mistake(offset, at, nil, f)
	}
	return nil
}

// engine returns the engine's bind group for a pipeline, with dynamic offsets by binding.
func (g *BindGroup) engine(p *ComputePipeline, number uint32, offsets []uint32) (*gpu.Group, error) {
	key := groupKey{pipeline: p, number: number}
	if len(offsets) > 0 {
		var raw []byte
		for _, o := range offsets {
			raw = binary.LittleEndian.AppendUint32(raw, o)
		}
		key.offsets = string(raw)
	}
	if made := g.made[key]; made != nil {
		return made, nil
	}
	var ranges []gpu.Range
	for i, e := range g.placed(offsets) {
		if slices.ContainsFunc(p.used, func(b wgsl.Binding) bool { return b.Group == number && b.Number == e.Binding }) {
			ranges = append(ranges, gpu.Range{Binding: e.Binding, Buffer: g.Entries[i].Buffer.memory, Offset: e.Offset, Bytes: e.Size})
		}
	}
	made, err := gpu.Bind(p.made, number, ranges)
	if err != nil {
		return nil, err
	}
	if g.made == nil {
		g.made = map[groupKey]*gpu.Group{}
	}
	g.made[key] = made
	return made, nil
}

// placed returns the entries with dynamic offsets added.
func (g *BindGroup) placed(offsets []uint32) []BindGroupEntry {
	if len(offsets) == 0 {
		return g.Entries
	}
	placed, next := slices.Clone(g.Entries), 0
	for i, e := range placed {
		if l, _ := g.Layout.entry(e.Binding); l.Buffer.HasDynamicOffset {
			placed[i].Offset += uint64(offsets[next])
			next++
		}
	}
	return placed
}

// Release tells that the program needs the bind group no more.
func (g *BindGroup) Release(at HostSite) {
	if g.device.release(at, &g.HostObject) {
		g.device.record.mu.Lock()
		defer g.device.record.mu.Unlock()
		g.drop()
	}
}

func (g *BindGroup) drop() {
	if g.users--; g.users > 0 {
		return
	}
	g.free()
	if g.Wrong == nil {
		for _, e := range g.Entries {
			e.Buffer.drop()
		}
	}
}

func (g *BindGroup) free() {
	for _, made := range g.made {
		made.Free()
	}
	g.made = nil
}
