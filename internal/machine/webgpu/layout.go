package webgpu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl"
)

// A BufferBindingLayout says how a shader sees a buffer.
type BufferBindingLayout struct {
	Type             BufferBindingType
	HasDynamicOffset bool
	MinBindingSize   uint64 // in bytes; 0 to check the size at each dispatch
}

// A BindGroupLayoutEntry describes a binding.
type BindGroupLayoutEntry struct {
	Binding    uint32
	Visibility ShaderStage
	Buffer     BufferBindingLayout
}

// A BindGroupLayout describes the bindings of a group.
type BindGroupLayout struct {
	HostObject
	Entries []BindGroupLayoutEntry // by binding

	exclusive *ComputePipeline // the one whose automatic layout it is, or nil
	group     uint32           // its number in that pipeline
}

// CreateBindGroupLayout makes a layout (§ Bind Group Layout Creation).
func (d *Device) CreateBindGroupLayout(at HostSite, label string, entries []BindGroupLayoutEntry) (*BindGroupLayout, error) {
	l := &BindGroupLayout{Entries: slices.Clone(entries)}
	call := d.begin("createBindGroupLayout", at, &d.HostObject, &l.HostObject, 0)
	defer d.record.mu.Unlock()
	d.object(&l.HostObject, "bind group layout", label, at)
	slices.SortStableFunc(l.Entries, func(a, b BindGroupLayoutEntry) int { return int(a.Binding) - int(b.Binding) })
	if m := d.checkLayout(at, l.Entries); m != nil {
		return l, d.fail(call, &l.HostObject, m)
	}
	return l, d.alive(at)
}

func (d *Device) checkLayout(at HostSite, entries []BindGroupLayoutEntry) *Mistake {
	for i, e := range entries {
		f := facts{"binding": e.Binding, "given": uint64(e.Binding), "needed": uint64(d.limits.MaxBindingsPerBindGroup)}
		switch {
		case i > 0 && entries[i-1].Binding == e.Binding:
			return d.mistake("layout-binding-twice", at, nil, f)
		case e.Binding >= d.limits.MaxBindingsPerBindGroup:
			return d.mistake("layout-binding-number", at, nil, f)
		case e.Buffer.Type == BufferBindingTypeUndefined || e.Buffer.Type > BufferBindingTypeReadOnlyStorage:
			return d.mistake("layout-entry-type", at, nil, f)
		case e.Visibility&^allStages != 0:
			return d.mistake("layout-visibility", at, nil, f)
		case e.Visibility&ShaderStageVertex != 0 && e.Buffer.Type == BufferBindingTypeStorage:
			return d.mistake("layout-vertex-storage", at, nil, f)
		}
	}
	return d.checkSlots("layout-slots", at, entries)
}

// checkSlots compares the numbers of bindings with the limits (§ Bind Group Layout Creation).
func (d *Device) checkSlots(rule string, at HostSite, entries []BindGroupLayoutEntry) *Mistake {
	type slots struct {
		what    string
		uniform bool
		counts  func(BindGroupLayoutEntry) bool
		most    uint32
	}
	dynamic := func(e BindGroupLayoutEntry) bool { return e.Buffer.HasDynamicOffset }
	all := []slots{
		{"uniform buffers with dynamic offsets", true, dynamic, d.limits.MaxDynamicUniformBuffersPerPipelineLayout},
		{"storage buffers with dynamic offsets", false, dynamic, d.limits.MaxDynamicStorageBuffersPerPipelineLayout},
	}
	for stage, name := range stageNames { // each stage has its own slots (§ Limits: "maximum limits per shader stage")
		visible := func(e BindGroupLayoutEntry) bool { return e.Visibility&(1<<stage) != 0 }
		all = append(all, slots{"uniform buffers for " + name, true, visible, d.limits.MaxUniformBuffersPerShaderStage},
			slots{"storage buffers for " + name, false, visible, d.limits.MaxStorageBuffersPerShaderStage})
	}
	for _, s := range all {
		count := uint64(0)
		for _, e := range entries {
			if s.counts(e) && s.uniform == (e.Buffer.Type == BufferBindingTypeUniform) {
				count++
			}
		}
		if count > uint64(s.most) {
			return d.mistake(rule, at, nil, facts{"what": s.what, "given": count, "needed": uint64(s.most)})
		}
	}
	return nil
}

// Release releases the layout.
func (l *BindGroupLayout) Release(at HostSite) { l.device.release(at, &l.HostObject) }

// entry returns the entry for a binding.
func (l *BindGroupLayout) entry(binding uint32) (BindGroupLayoutEntry, bool) {
	i, ok := slices.BinarySearchFunc(l.Entries, binding, func(e BindGroupLayoutEntry, b uint32) int { return int(e.Binding) - int(b) })
	if !ok {
		return BindGroupLayoutEntry{}, false
	}
	return l.Entries[i], true
}

// bindings lists the numbers of the layout's bindings for a sentence.
func (l *BindGroupLayout) bindings() string {
	switch len(l.Entries) {
	case 0:
		return "no bindings"
	case 1:
		return fmt.Sprintf("only binding %d", l.Entries[0].Binding)
	}
	numbers := make([]string, len(l.Entries))
	for i, e := range l.Entries {
		numbers[i] = fmt.Sprint(e.Binding)
	}
	return "the bindings " + strings.Join(numbers, ", ")
}

// variable returns the shader's variable of a binding of an automatic layout, in words after a
// comma, or "".
func (l *BindGroupLayout) variable(binding uint32) string {
	if l.exclusive == nil {
		return ""
	}
	return l.exclusive.variable(l.group, binding)
}

// equivalent reports whether bind groups of one layout fit the other (§ Compatibility).
func (l *BindGroupLayout) equivalent(other *BindGroupLayout) bool {
	return l == other || l.exclusive == other.exclusive && slices.Equal(l.Entries, other.Entries)
}

// difference says how a bind group's layout differs from the one that a pipeline wants.
func (l *BindGroupLayout) difference(wanted *BindGroupLayout) string {
	for _, e := range wanted.Entries {
		has, ok := l.entry(e.Binding)
		switch {
		case !ok:
			return fmt.Sprintf("it has no binding %d", e.Binding)
		case has.Buffer.Type != e.Buffer.Type:
			return fmt.Sprintf("binding %d is %s there and %s in the pipeline", e.Binding, has.Buffer.Type, e.Buffer.Type)
		case has != e:
			return fmt.Sprintf("binding %d differs", e.Binding)
		}
	}
	if len(l.Entries) > len(wanted.Entries) {
		return "it has more bindings"
	}
	return "one is automatic, and the other isn't"
}

// A PipelineLayout lists the bind group layouts of a pipeline.
type PipelineLayout struct {
	HostObject
	Groups []*BindGroupLayout // by number; nil for groups without bindings
}

// CreatePipelineLayout makes a pipeline layout (§ Pipeline Layout Creation).
func (d *Device) CreatePipelineLayout(at HostSite, label string, groups []*BindGroupLayout) (*PipelineLayout, error) {
	l := &PipelineLayout{Groups: slices.Clone(groups)}
	call := d.begin("createPipelineLayout", at, &d.HostObject, &l.HostObject, 0)
	defer d.record.mu.Unlock()
	d.object(&l.HostObject, "pipeline layout", label, at)
	if m := d.checkPipelineLayout(at, groups); m != nil {
		return l, d.fail(call, &l.HostObject, m)
	}
	return l, d.alive(at)
}

func (d *Device) checkPipelineLayout(at HostSite, groups []*BindGroupLayout) *Mistake {
	var entries []BindGroupLayoutEntry
	for i, g := range groups {
		if g == nil {
			continue
		}
		if m := d.usable(at, &g.HostObject); m != nil {
			return m
		}
		if g.exclusive != nil && len(g.Entries) > 0 {
			return d.mistake("pipeline-layout-auto", at, nil, facts{"group": i})
		}
		entries = append(entries, g.Entries...)
	}
	if most := d.limits.MaxBindGroups; uint64(len(groups)) > uint64(most) {
		return d.mistake("pipeline-layout-groups", at, nil, facts{"given": uint64(len(groups)), "needed": uint64(most)})
	}
	return d.checkSlots("pipeline-layout-slots", at, entries)
}

// Release releases the layout.
func (l *PipelineLayout) Release(at HostSite) { l.device.release(at, &l.HostObject) }

// group returns the layout of a group, or nil if it has no bindings.
func (l *PipelineLayout) group(number uint32) *BindGroupLayout {
	if int(number) >= len(l.Groups) || l.Groups[number] == nil || len(l.Groups[number].Entries) == 0 {
		return nil
	}
	return l.Groups[number]
}

// bindingTypes are the types of WGSL's address spaces.
var bindingTypes = map[wgsl.Space]BufferBindingType{
	wgsl.Uniform:   BufferBindingTypeUniform,
	wgsl.ReadOnly:  BufferBindingTypeReadOnlyStorage,
	wgsl.ReadWrite: BufferBindingTypeStorage,
}

// automatic makes the default layout of a pipeline (§ Default pipeline layout).
func (p *ComputePipeline) automatic(d *Device) (*PipelineLayout, *Mistake) {
	l := &PipelineLayout{}
	d.object(&l.HostObject, "pipeline layout", "", p.Made)
	l.shared = true
	for _, b := range p.used {
		for len(l.Groups) <= int(b.Group) {
			g := &BindGroupLayout{exclusive: p, group: uint32(len(l.Groups))}
			d.object(&g.HostObject, "bind group layout", "", p.Made)
			g.shared = true
			l.Groups = append(l.Groups, g)
		}
		g := l.Groups[b.Group]
		g.Entries = append(g.Entries, BindGroupLayoutEntry{
			Binding: b.Number, Visibility: ShaderStageCompute,
			Buffer: BufferBindingLayout{Type: bindingTypes[b.Space], MinBindingSize: b.Type.Size},
		})
	}
	if most := d.limits.MaxBindGroups; uint64(len(l.Groups)) > uint64(most) {
		return l, d.mistake("pipeline-layout-groups", p.Made, nil, facts{"given": uint64(len(l.Groups)), "needed": uint64(most)})
	}
	var all []BindGroupLayoutEntry
	for _, g := range l.Groups {
		if m := d.checkLayout(p.Made, g.Entries); m != nil {
			return l, m
		}
		all = append(all, g.Entries...)
	}
	return l, d.checkSlots("pipeline-layout-slots", p.Made, all)
}
