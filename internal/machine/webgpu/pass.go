package webgpu

import (
	"slices"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// mostGroups is the number of bind groups that the package supports, WebGPU's default.
const mostGroups = 4

// A ComputePassEncoder records dispatches.
type ComputePassEncoder struct {
	encoding
	parent   *CommandEncoder
	pipeline *ComputePipeline
	groups   [mostGroups]*BindGroup
	offsets  [mostGroups][]uint32
	set      [mostGroups]HostSite
	command  gpu.ComputePass
	run      PassRun
	used     []use
}

// PassTimes are the queries that receive the times of a pass.
type PassTimes struct {
	Set        *QuerySet
	Begin, End *uint32 // nil if the time isn't written
}

// BeginComputePass begins a pass (§ Pass Encoding). Its errors come back from End.
func (e *CommandEncoder) BeginComputePass(at HostSite, label string, times *PassTimes) (*ComputePassEncoder, error) {
	d := e.device
	p := &ComputePassEncoder{parent: e, run: PassRun{Label: label}}
	call := d.begin("beginComputePass", at, &e.HostObject, &p.HostObject, 0)
	defer d.record.mu.Unlock()
	d.object(&p.HostObject, "compute pass", label, at)
	if m := e.takes(at, "beginComputePass"); m != nil {
		p.broken, p.Wrong = m, m
		return p, e.reject(call, m)
	}
	e.state = encoderLocked
	if times == nil {
		return p, nil
	}
	p.command.Begin, p.command.End = gpu.NoQuery, gpu.NoQuery
	var queries []uint32
	repair := d.repairs("beginComputePass")
	if times.Begin != nil {
		number(repair, "begin", times.Begin)
		queries, p.command.Begin = append(queries, *times.Begin), *times.Begin
	}
	if times.End != nil {
		number(repair, "end", times.End)
		queries, p.command.End = append(queries, *times.End), *times.End
	}
	if m := d.checkTimes(at, times.Set, queries...); m != nil {
		return p, p.reject(call, m)
	}
	p.command.Times, p.run.Timed = times.Set.made, true
	times.Set.users++
	e.held = append(e.held, times.Set)
	return p, nil
}

// Judged reports whether a check reads the record, which then has the place of each call. Others
// need it only for a mistake, and a pass has many calls.
func (p *ComputePassEncoder) Judged() bool { return p.device.record.judged }

// SetPipeline sets the pipeline of the dispatches that follow (§ Dispatch).
func (p *ComputePassEncoder) SetPipeline(at HostSite, pipeline *ComputePipeline) error {
	d := p.device
	call := d.begin("setPipeline", at, &p.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	if f := d.repairs("setPipeline"); f != nil && f.Object > 0 && f.Object <= len(d.record.Pipelines) {
		pipeline = d.record.Pipelines[f.Object-1]
	}
	m := p.takes(at, "setPipeline")
	if m == nil && pipeline == nil {
		m = d.missing(at, "setPipeline", "pipeline")
	}
	if m == nil {
		m = d.usable(at, &pipeline.HostObject)
	}
	if m != nil {
		return p.reject(call, m)
	}
	p.pipeline = pipeline
	return nil
}

// SetBindGroup sets a bind group of the dispatches that follow; nil unsets it (§ Bind Groups).
func (p *ComputePassEncoder) SetBindGroup(at HostSite, index uint32, g *BindGroup, offsets []uint32) error {
	d := p.device
	call := d.begin("setBindGroup", at, &p.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	f := d.repairs("setBindGroup")
	number(f, "index", &index)
	if f != nil && f.Object > 0 && f.Object <= len(d.record.Groups) {
		g = d.record.Groups[f.Object-1]
	}
	m := p.takes(at, "setBindGroup")
	if m == nil {
		m = d.checkSetGroup(at, index, g, offsets)
	}
	if m != nil {
		return p.reject(call, m)
	}
	p.groups[index], p.offsets[index], p.set[index] = g, slices.Clone(offsets), at
	return nil
}

func (d *Device) checkSetGroup(at HostSite, number uint32, g *BindGroup, offsets []uint32) *Mistake {
	if g != nil {
		if m := d.usable(at, &g.HostObject); m != nil {
			return m
		}
	}
	if most := min(d.limits.MaxBindGroups, mostGroups); number >= most {
		return d.mistake("group-index", at, nil, facts{"given": uint64(number), "needed": uint64(most)})
	}
	if g == nil && d.dialect.Native {
		return d.missing(at, "setBindGroup", "bind group") // wgpu-native 22 ends the process
	}
	if g == nil {
		return nil
	}
	var dynamic []BindGroupLayoutEntry
	for _, l := range g.Layout.Entries {
		if l.Buffer.HasDynamicOffset {
			dynamic = append(dynamic, l)
		}
	}
	if len(dynamic) != len(offsets) {
		return d.mistake("dynamic-count", at, nil, facts{"object": &g.HostObject, "given": uint64(len(offsets)), "needed": uint64(len(dynamic))})
	}
	for i, l := range dynamic {
		if m := d.checkOffset(at, g, l, uint64(offsets[i])); m != nil {
			return m
		}
	}
	return nil
}

func (d *Device) checkOffset(at HostSite, g *BindGroup, l BindGroupLayoutEntry, offset uint64) *Mistake {
	step := uint64(d.limits.MinStorageBufferOffsetAlignment)
	if l.Buffer.Type == BufferBindingTypeUniform {
		step = uint64(d.limits.MinUniformBufferOffsetAlignment)
	}
	i := slices.IndexFunc(g.Entries, func(e BindGroupEntry) bool { return e.Binding == l.Binding })
	e := g.Entries[i]
	switch {
	case offset%step != 0:
		return d.mistake("dynamic-alignment", at, nil, facts{"binding": l.Binding, "given": offset, "needed": step})
	case !within(e.Offset+offset, e.Size, e.Buffer.Size):
		return d.mistake("dynamic-range", at, nil, facts{"binding": l.Binding, "buffer": e.Buffer, "given": e.Offset + offset + e.Size, "needed": e.Buffer.Size})
	}
	return nil
}

// DispatchWorkgroups runs workgroups in x, y and z (§ Dispatch).
func (p *ComputePassEncoder) DispatchWorkgroups(at HostSite, x, y, z uint32) error {
	d := p.device
	call := d.begin("dispatchWorkgroups", at, &p.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	f := d.repairs("dispatchWorkgroups")
	if f != nil && f.Skip {
		return nil
	}
	number(f, "x", &x)
	number(f, "y", &y)
	number(f, "z", &z)
	m := p.takes(at, "dispatchWorkgroups")
	if m == nil {
		m = p.checkDispatch(at, nil)
	}
	if m == nil {
		m = d.checkWorkgroups(at, [3]uint32{x, y, z})
	}
	if m != nil {
		return p.reject(call, m)
	}
	return p.dispatch(at, DispatchRun{At: at, Workgroups: [3]uint32{x, y, z}}, 0)
}

func (d *Device) checkWorkgroups(at HostSite, workgroups [3]uint32) *Mistake {
	for i, n := range workgroups {
		if most := d.limits.MaxComputeWorkgroupsPerDimension; n > most {
			return d.mistake("dispatch-limit", at, nil, facts{"axis": "xyz"[i : i+1], "given": uint64(n), "needed": uint64(most)})
		}
	}
	return nil
}

// DispatchWorkgroupsIndirect runs as many workgroups as three u32 in a buffer say (§ Dispatch).
func (p *ComputePassEncoder) DispatchWorkgroupsIndirect(at HostSite, counts *Buffer, offset uint64) error {
	d := p.device
	call := d.begin("dispatchWorkgroupsIndirect", at, &p.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	m := p.takes(at, "dispatchWorkgroupsIndirect")
	if m == nil {
		m = d.checkIndirect(at, counts, offset)
	}
	if m == nil {
		m = p.checkDispatch(at, counts)
	}
	if m != nil {
		return p.reject(call, m)
	}
	return p.dispatch(at, DispatchRun{At: at, Counts: counts, From: offset}, offset)
}

func (d *Device) checkIndirect(at HostSite, counts *Buffer, offset uint64) *Mistake {
	if counts == nil {
		return d.missing(at, "dispatchWorkgroupsIndirect", "buffer")
	}
	if m := d.usable(at, &counts.HostObject); m != nil {
		return m
	}
	const bytes = 3 * wordBytes
	switch {
	case counts.Usage&gpu.UsageIndirect == 0:
		return d.mistake("indirect-usage", at, &counts.HostObject, facts{"buffer": counts, "usage": counts.Usage})
	case offset%wordBytes != 0:
		return d.mistake("indirect-offset", at, nil, facts{"given": offset})
	case !within(offset, bytes, counts.Size):
		return d.mistake("indirect-range", at, &counts.HostObject, facts{"buffer": counts, "given": offset + bytes, "needed": counts.Size})
	}
	return nil
}

// checkDispatch checks the pipeline and the bind groups of a dispatch.
func (p *ComputePassEncoder) checkDispatch(at HostSite, counts *Buffer) *Mistake {
	d := p.device
	if p.pipeline == nil {
		return d.mistake("dispatch-pipeline", at, nil, facts{"object": &p.HostObject})
	}
	for number := range uint32(mostGroups) {
		wanted := p.pipeline.layout.group(number)
		if wanted == nil {
			continue
		}
		g := p.groups[number]
		if g == nil {
			return d.mistake("dispatch-group-missing", at, nil, facts{"group": number})
		}
		if m := d.checkGroupLayout(at, number, g, wanted); m != nil {
			return m
		}
		if m := p.checkSizes(at, number, g); m != nil {
			return m
		}
	}
	return p.checkUses(at, counts)
}

func (d *Device) checkGroupLayout(at HostSite, number uint32, g *BindGroup, wanted *BindGroupLayout) *Mistake {
	switch {
	case g.Layout.equivalent(wanted):
		return nil
	case g.Layout.exclusive != nil && g.Layout.exclusive != wanted.exclusive:
		return d.mistake("dispatch-group-auto", at, &g.HostObject, facts{"group": number})
	}
	return d.mistake("dispatch-group-layout", at, &g.HostObject, facts{"group": number, "difference": g.Layout.difference(wanted)})
}

// checkSizes checks the sizes that the layout leaves to the dispatch.
func (p *ComputePassEncoder) checkSizes(at HostSite, number uint32, g *BindGroup) *Mistake {
	for _, b := range p.pipeline.used {
		if b.Group != number {
			continue
		}
		for _, e := range g.Entries {
			if e.Binding == b.Number && e.Size < b.Type.Size {
				return p.device.mistake("dispatch-binding-size", at, &g.HostObject, facts{"binding": e.Binding, "given": e.Size, "needed": b.Type.Size, "variable": p.pipeline.variable(number, e.Binding)})
			}
		}
	}
	return nil
}

// A use is a buffer in a dispatch.
type use struct {
	buffer     *Buffer
	begin, end uint64
	writes     bool
	binding    uint32
}

// uses lists the buffers that a dispatch may access, in memory that the next dispatch uses again.
func (p *ComputePassEncoder) uses() []use {
	all := p.used[:0]
	for number, g := range p.groups {
		if g == nil || p.pipeline.layout.group(uint32(number)) == nil {
			continue
		}
		for _, e := range g.placed(p.offsets[number]) {
			l, _ := g.Layout.entry(e.Binding)
			all = append(all, use{e.Buffer, e.Offset, e.Offset + e.Size, l.Buffer.Type == BufferBindingTypeStorage, e.Binding})
		}
	}
	p.used = all
	return all
}

// checkUses checks that no buffer is used in two ways (§ Synchronization).
func (p *ComputePassEncoder) checkUses(at HostSite, counts *Buffer) *Mistake {
	d := p.device
	all := p.uses()
	for i, a := range all {
		for _, b := range all[:i] {
			if a.buffer != b.buffer || !a.writes && !b.writes {
				continue
			}
			f := facts{"buffer": a.buffer, "first": b.binding, "second": a.binding, "other": "reading"}
			if a.begin < b.end && b.begin < a.end {
				return d.mistake("dispatch-alias", at, nil, f)
			}
			if a.writes != b.writes {
				return d.mistake("dispatch-usages", at, nil, f)
			}
		}
		if a.writes && a.buffer == counts {
			return d.mistake("dispatch-usages", at, nil, facts{"buffer": a.buffer, "other": "the number of workgroups"})
		}
	}
	return nil
}

// dispatch records a checked dispatch.
func (p *ComputePassEncoder) dispatch(at HostSite, run DispatchRun, offset uint64) error {
	d := p.device
	run.Pipeline, run.Groups, run.Offsets, run.Set = p.pipeline, p.groups, p.offsets, p.set
	count := lastGroup(p.pipeline) + 1
	groups := make([]*gpu.Group, 0, count)
	for number := range uint32(count) {
		g := p.groups[number]
		if p.pipeline.layout.group(number) == nil || g == nil {
			g = p.empty()
		}
		made, err := g.engine(p.pipeline, number, p.offsets[number])
		if err != nil {
			return d.fault(at, ErrorFilterInternal, err)
		}
		groups = append(groups, made)
		p.parent.holdGroup(g)
	}
	p.pipeline.users++
	p.parent.held = append(p.parent.held, p.pipeline)
	dispatch := gpu.Dispatch(p.pipeline.made, run.Workgroups, groups)
	if run.Counts != nil {
		dispatch = gpu.DispatchIndirect(p.pipeline.made, run.Counts.memory, offset, groups)
		p.parent.hold(run.Counts)
	}
	p.command.Dispatches = append(p.command.Dispatches, dispatch)
	keep(d.record, &p.run.Dispatches, run)
	return nil
}

// lastGroup returns the highest number of a group that the shader uses, or -1.
func lastGroup(p *ComputePipeline) int {
	last := -1
	for _, b := range p.used {
		last = max(last, int(b.Group))
	}
	return last
}

// empty returns a bind group without bindings, for groups that the shader doesn't use.
func (p *ComputePassEncoder) empty() *BindGroup {
	g := &BindGroup{Layout: &BindGroupLayout{}, users: 1}
	g.device = p.device
	p.device.releases = append(p.device.releases, g.free)
	return g
}

func (r *recorded) holdGroup(g *BindGroup) {
	g.users++
	r.held = append(r.held, g)
	for _, e := range g.Entries {
		r.hold(e.Buffer)
	}
}

// End ends the pass (§ Finalization). If a command in it broke a rule, its mistake comes back here.
func (p *ComputePassEncoder) End(at HostSite) error {
	d := p.device
	call := d.begin("end", at, &p.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	if p.state == encoderEnded {
		return d.fail(call, nil, d.mistake("pass-end-again", at, nil, facts{"object": &p.HostObject}))
	}
	p.state = encoderEnded
	if p.Wrong != nil {
		return p.Wrong // its parent couldn't begin it
	}
	if p.parent.state == encoderEnded {
		return d.fail(call, nil, d.mistake("encoder-finished", at, nil, facts{"call": spelled("end"), "object": &p.parent.HostObject}))
	}
	p.parent.state = encoderOpen
	if p.broken == nil && p.debugGroups > 0 {
		m := d.mistake("debug-open", at, nil, facts{"object": &p.HostObject, "given": uint64(p.debugGroups)})
		d.record.wrong(call, m)
		p.broken = m
	}
	if p.broken != nil {
		if p.parent.broken == nil {
			p.parent.broken = p.broken
		}
		return p.broken
	}
	p.run.Ended = at
	p.parent.add(p.command, Step{At: p.Made, Pass: &p.run})
	return nil
}

// Release releases the pass encoder.
func (p *ComputePassEncoder) Release(at HostSite) { p.device.release(at, &p.HostObject) }
