package main

import "slices"

// A fault changes a valid program in one place, and reports whether there is such a place.
type fault struct {
	name  string
	apply func(m *maker) bool
}

// only returns the numbers of the ops of some kinds.
func (m *maker) only(kinds ...string) (at []int) {
	for i, o := range m.ops {
		if slices.Contains(kinds, o.kind) {
			at = append(at, i)
		}
	}
	return at
}

// change changes a drawn op of some kinds.
func change(apply func(m *maker, o *op), kinds ...string) func(*maker) bool {
	return func(m *maker) bool {
		at := m.only(kinds...)
		if len(at) == 0 {
			return false
		}
		apply(m, &m.ops[at[m.IntN(len(at))]])
		return true
	}
}

// remove removes a drawn op of a kind.
func remove(kind string) func(*maker) bool {
	return func(m *maker) bool {
		at := m.only(kind)
		if len(at) == 0 {
			return false
		}
		i := at[m.IntN(len(at))]
		m.ops = slices.Delete(m.ops, i, i+1)
		return true
	}
}

// after inserts an op after a drawn op of a kind.
func after(kind string, make func(m *maker, o op) op) func(*maker) bool {
	return func(m *maker) bool {
		at := m.only(kind)
		if len(at) == 0 {
			return false
		}
		i := at[m.IntN(len(at))]
		m.ops = slices.Insert(m.ops, i+1, make(m, m.ops[i]))
		return true
	}
}

func again(_ *maker, o op) op { return o }

// drop takes a usage from a buffer that an op of a kind needs it for.
func drop(usage uint32, which func(o op) int, kinds ...string) func(*maker) bool {
	return change(func(m *maker, o *op) { m.buffers[which(*o)].usage &^= usage }, kinds...)
}

func first(o op) int  { return o.a }
func second(o op) int { return o.b }

// entries changes a drawn entry of a drawn group.
func entries(apply func(m *maker, g *group, e *entry) bool) func(*maker) bool {
	return func(m *maker) bool {
		if len(m.groups) == 0 {
			return false
		}
		g := &m.groups[m.IntN(len(m.groups))]
		return apply(m, g, &g.entries[m.IntN(len(g.entries))])
	}
}

// layouts changes a drawn entry of a drawn explicit layout.
func layouts(apply func(m *maker, e *entryLayout) bool) func(*maker) bool {
	return func(m *maker) bool {
		for _, i := range m.Perm(len(m.pipelines)) {
			if groups := m.pipelines[i].explicit; groups != nil {
				g := groups[m.IntN(len(groups))]
				return apply(m, &g[m.IntN(len(g))])
			}
		}
		return false
	}
}

var faults = []fault{
	{"usage-none", func(m *maker) bool { m.buffers[m.IntN(len(m.buffers))].usage = 0; return true }},
	{"usage-map-and-storage", func(m *maker) bool { m.buffers[m.data[0]].usage |= mapRead; return true }},
	{"usage-map-write-and-storage", func(m *maker) bool { m.buffers[m.data[0]].usage |= mapWrite; return true }},
	{"usage-unknown", func(m *maker) bool { m.buffers[m.data[0]].usage |= 0x8000; return true }},
	{"buffer-huge", func(m *maker) bool {
		m.buffers[m.data[0]].size = 1 << 30
		m.buffers[m.data[0]].mapped = false
		return true
	}},
	{"mapped-size", func(m *maker) bool {
		b := &m.buffers[m.data[0]]
		b.mapped, b.size = true, b.size+1
		return true
	}},
	{"no-storage", drop2(storage)},
	{"no-uniform", drop2(uniform)},
	{"no-copy-src", drop(copySrc, first, "copy")},
	{"no-copy-dst", drop(copyDst, second, "copy")},
	{"no-copy-dst-write", drop(copyDst, first, "write")},
	{"no-copy-dst-clear", drop(copyDst, first, "clear")},
	{"no-map-read", drop(mapRead, first, "map")},
	{"no-indirect", drop(indirect, first, "indirect")},
	{"write-beyond", change(func(m *maker, o *op) { o.x = m.buffers[o.a].size - o.n + 4 }, "write")},
	{"write-odd-size", change(func(_ *maker, o *op) { o.n = max(o.n, 4) - 3 }, "write")},
	{"write-odd-offset", change(func(_ *maker, o *op) { o.x, o.n = 2, max(o.n, 8)-8 }, "write")},
	{"copy-source-beyond", change(func(m *maker, o *op) { o.x = m.buffers[o.a].size - o.n + 4 }, "copy")},
	{"copy-destination-beyond", change(func(m *maker, o *op) { o.y = m.buffers[o.b].size - o.n + 4 }, "copy")},
	{"copy-odd-size", change(func(_ *maker, o *op) { o.n = max(o.n, 4) - 2 }, "copy")},
	{"copy-odd-offset", change(func(_ *maker, o *op) { o.x, o.y, o.n = 2, 0, 4 }, "copy")},
	{"copy-same", change(func(_ *maker, o *op) { o.b, o.x, o.y, o.n = o.a, 0, 8, 4 }, "copy")},
	{"clear-beyond", change(func(m *maker, o *op) { o.x = m.buffers[o.a].size - o.n + 4 }, "clear")},
	{"clear-nothing", change(func(_ *maker, o *op) { o.n = 0 }, "clear")}, // which WebGPU allows
	{"clear-odd", change(func(_ *maker, o *op) { o.x, o.n = 2, 4 }, "clear")},
	{"map-beyond", change(func(m *maker, o *op) { o.n += 8 }, "map")},
	{"map-odd-offset", change(func(_ *maker, o *op) { o.x, o.n = 4, 8 }, "map")},
	{"map-odd-size", change(func(_ *maker, o *op) { o.n -= 2 }, "map")},
	{"map-mode-write", change(func(_ *maker, o *op) { o.b = 2 }, "map")},
	{"map-mode-none", change(func(_ *maker, o *op) { o.b = 0 }, "map")},
	{"map-mode-both", change(func(_ *maker, o *op) { o.b = 3 }, "map")},
	{"map-again", after("map", again)},
	{"map-missing", remove("map")},
	{"range-early", remove("wait")},
	{"range-beyond", change(func(_ *maker, o *op) { o.n += 8 }, "range")},
	{"range-before", after("map", func(m *maker, o op) op { return op{kind: "range", a: o.a, x: o.x, n: o.n} })},
	{"range-after-unmap", after("unmap", func(m *maker, o op) op { return op{kind: "range", a: o.a, n: 8} })},
	{"entry-number", entries(func(m *maker, _ *group, e *entry) bool { e.binding += 5; return true })},
	{"entry-missing", entries(func(m *maker, g *group, _ *entry) bool { g.entries = g.entries[1:]; return true })},
	{"entry-twice", entries(func(m *maker, g *group, e *entry) bool { g.entries = append(g.entries, *e); return true })},
	{"entry-extra", entries(func(m *maker, g *group, e *entry) bool {
		more := *e
		more.binding = 9
		g.entries = append(g.entries, more)
		return true
	})},
	{"entry-beyond", entries(func(m *maker, _ *group, e *entry) bool { e.size += 4; return true })},
	{"entry-odd-offset", entries(func(m *maker, _ *group, e *entry) bool {
		e.offset, e.size = 8, 8
		return m.buffers[e.buffer].usage&uniform == 0
	})},
	{"entry-short", entries(func(m *maker, _ *group, e *entry) bool { e.size = 16; return m.buffers[e.buffer].usage&uniform != 0 })},
	{"entry-odd-size", entries(func(m *maker, _ *group, e *entry) bool { e.size -= 2; return m.buffers[e.buffer].usage&uniform == 0 })},
	{"entry-exchanged", exchangeUniform},
	{"layout-type", layouts(func(m *maker, e *entryLayout) bool { e.kind = 1 + e.kind%3; return true })},
	{"layout-number", layouts(func(m *maker, e *entryLayout) bool { e.binding += 3; return true })},
	{"layout-least", layouts(func(m *maker, e *entryLayout) bool { e.least = 1; return true })},
	{"layout-visible", layouts(func(m *maker, e *entryLayout) bool { e.visible = fragment; return e.binding < firstUnseen })},
	{"layout-vertex", layouts(func(m *maker, e *entryLayout) bool { e.visible = compute | vertex; return e.kind == isStorage })},
	{"layout-stage", layouts(func(m *maker, e *entryLayout) bool { e.visible = compute | 8; return true })},
	{"layout-slots", slots},
	{"limit-groups", func(m *maker) bool { m.limits, m.groupsMax = true, 1000; return true }},
	{"enable-f16", prefix("enable f16;\n")},
	{"enable-subgroups", prefix("enable subgroups;\n")},
	{"workgroup-memory", ofSeveral(func(p *pipeline) { p.entry = "all" })},
	{"override", ofSeveral(func(p *pipeline) { p.overrides = true })}, // which WebGPU allows
	{"override-missing", ofSeveral(func(p *pipeline) { p.overrides, p.entry = true, "sized" })},
	{"entry-point", func(m *maker) bool { m.pipelines[0].entry = "mian"; return true }},
	{"group-index", change(func(_ *maker, o *op) { o.a = 4 }, "group")},
	{"group-missing", remove("group")},
	{"group-of-another", change(otherGroup, "group")},
	{"no-pipeline", remove("pipeline")},
	{"too-many-workgroups", change(func(_ *maker, o *op) { o.x = 65536 }, "dispatch")},
	{"indirect-beyond", change(func(m *maker, o *op) { o.x = 16 }, "indirect")},
	{"indirect-odd", change(func(m *maker, o *op) { o.x = 2 }, "indirect")},
	{"no-end", remove("end")},
	{"end-again", after("end", again)},
	{"no-finish", remove("finish")},
	{"finish-again", after("finish", again)},
	{"copy-in-pass", after("begin", func(m *maker, _ op) op { return op{kind: "clear", a: m.data[0], n: 4} })},
	{"begin-in-pass", after("begin", again)},
	{"copy-after-finish", after("finish", func(m *maker, _ op) op { return op{kind: "clear", a: m.data[0], n: 4} })},
	{"dispatch-after-end", after("end", func(*maker, op) op { return op{kind: "dispatch", x: 1, y: 1, n: 1} })},
	{"submit-again", after("submit", again)},
	{"submit-mapped", after("finish", func(m *maker, _ op) op { return op{kind: "mapused"} })},
	{"submit-destroyed", after("finish", func(m *maker, _ op) op { return op{kind: "destroyused"} })},
	{"write-destroyed", func(m *maker) bool {
		m.ops = append([]op{{kind: "destroy", a: m.uniforms[0]}}, m.ops...)
		return true
	}},
	{"write-mapped", after("map", func(_ *maker, o op) op { return op{kind: "write", a: o.a, n: 4} })},
	{"alias", aliasEntries},
}

// slots makes one entry too many visible to a stage.
func slots(m *maker) bool {
	for _, i := range m.Perm(len(m.pipelines)) {
		for g, entries := range m.pipelines[i].explicit {
			seen := uint32(compute)
			if m.chance(50) {
				seen = fragment
			}
			for k := range 9 {
				entries = append(entries, entryLayout{binding: uint32(40 + k), kind: isReadOnly, visible: seen})
			}
			m.pipelines[i].explicit[g] = entries
			return true
		}
	}
	return false
}

// prefix puts a text before a shader.
func prefix(text string) func(*maker) bool {
	return func(m *maker) bool { m.pipelines[0].prefix = text; return true }
}

// ofSeveral changes a pipeline of the shader that has several entry points.
func ofSeveral(apply func(*pipeline)) func(*maker) bool {
	return func(m *maker) bool {
		for i := range m.pipelines {
			if shaders[m.pipelines[i].shader].text == several {
				apply(&m.pipelines[i])
				return true
			}
		}
		return false
	}
}

// drop2 takes a usage from a buffer that a group binds.
func drop2(usage uint32) func(*maker) bool {
	return func(m *maker) bool {
		for _, i := range m.Perm(len(m.groups)) {
			for _, e := range m.groups[i].entries {
				if m.buffers[e.buffer].usage&usage != 0 {
					m.buffers[e.buffer].usage &^= usage
					return true
				}
			}
		}
		return false
	}
}

// exchangeUniform exchanges the buffers of a uniform and of a storage binding.
func exchangeUniform(m *maker) bool {
	for i := range m.groups {
		es := m.groups[i].entries
		if len(es) == 2 && (m.buffers[es[0].buffer].usage^m.buffers[es[1].buffer].usage)&uniform != 0 {
			es[0].binding, es[1].binding = es[1].binding, es[0].binding
			return true
		}
	}
	return false
}

// otherGroup sets a group that was made for another pipeline.
func otherGroup(m *maker, o *op) {
	for i, g := range m.groups {
		if m.pipelines[g.pipeline].shader != m.pipelines[m.groups[o.b].pipeline].shader {
			o.b = i
			return
		}
	}
	o.a = 4
}

// aliasEntries binds a buffer twice in one group, once to write.
func aliasEntries(m *maker) bool {
	for i := range m.groups {
		if es := m.groups[i].entries; len(es) == 2 && m.pipelines[m.groups[i].pipeline].shader == 1 {
			es[0].buffer, es[0].offset, es[0].size = es[1].buffer, es[1].offset, es[1].size
			return true
		}
	}
	return false
}

// breakIt gives the program one fault.
func (m *maker) breakIt() {
	for m.fault == "" {
		f := faults[m.IntN(len(faults))]
		if f.apply(m) {
			m.fault = f.name
		}
	}
}
