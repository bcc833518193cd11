package main

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
)

// The usages of buffers, as WebGPU's flags.
const (
	mapRead  = 0x1
	mapWrite = 0x2
	copySrc  = 0x4
	copyDst  = 0x8
	uniform  = 0x40
	storage  = 0x80
	indirect = 0x100
)

// A program is a host program as data. Its fault is the name of what is wrong with it, or "".
type program struct {
	buffers   []buffer
	pipelines []pipeline
	groups    []group
	ops       []op
	fault     string
}

type buffer struct {
	size   uint64
	usage  uint32
	mapped bool // at creation, with words in it
}

// A pipeline is a shader with an automatic layout, or with an explicit one.
type pipeline struct {
	shader   int
	entry    string
	explicit [][]entryLayout // by group; nil for automatic
}

type entryLayout struct {
	binding uint32
	kind    int // 1 uniform, 2 storage, 3 read-only
	least   uint64
}

type group struct {
	pipeline int // whose layout it has
	number   uint32
	entries  []entry
}

type entry struct {
	binding      uint32
	buffer       int
	offset, size uint64
}

// An op is a call. What a and b are depends on the kind: numbers of buffers, pipelines or groups.
type op struct {
	kind    string
	a, b    int
	x, y, n uint64
}

// MarshalJSON writes a program as lists of lists, for programs.js.
func (p program) MarshalJSON() ([]byte, error) {
	all := struct {
		Buffers, Pipelines, Groups, Ops []any
		Fault                           string
	}{Fault: p.fault}
	for _, b := range p.buffers {
		all.Buffers = append(all.Buffers, []any{b.size, b.usage, b.mapped})
	}
	for _, l := range p.pipelines {
		var groups []any
		for _, entries := range l.explicit {
			group := []any{}
			for _, e := range entries {
				group = append(group, []any{e.binding, e.kind, e.least})
			}
			groups = append(groups, group)
		}
		all.Pipelines = append(all.Pipelines, []any{shaders[l.shader].text, len(shaders[l.shader].groups), l.entry, groups})
	}
	for _, g := range p.groups {
		entries := []any{}
		for _, e := range g.entries {
			entries = append(entries, []any{e.binding, e.buffer, e.offset, e.size})
		}
		all.Groups = append(all.Groups, []any{g.pipeline, g.number, entries})
	}
	for _, o := range p.ops {
		all.Ops = append(all.Ops, []any{o.kind, o.a, o.b, o.x, o.y, o.n})
	}
	return json.Marshal(all)
}

// A shader is a text with the layouts of its groups.
type shader struct {
	text   string
	groups [][]entryLayout
}

const (
	isUniform  = 1
	isStorage  = 2
	isReadOnly = 3
)

var shaders = []shader{
	{`@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&x) && id.y + id.z == 0u) { x[id.x] = x[id.x] * 3u + 1u; }
}`, [][]entryLayout{{{0, isStorage, 4}}}},
	{`@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&y) && id.x < arrayLength(&x) && id.y + id.z == 0u) { y[id.x] = x[id.x] + 2u * y[id.x]; }
}`, [][]entryLayout{{{0, isReadOnly, 4}, {1, isStorage, 4}}}},
	{`struct Params { a: u32, b: vec3<u32> }
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(16) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&y) && id.y + id.z == 0u) { y[id.x] = p.a * y[id.x] + p.b.y + id.x; }
}`, [][]entryLayout{{{0, isUniform, 32}, {1, isStorage, 4}}}},
	{`@group(0) @binding(0) var<storage, read> x: array<vec2<u32>>;
@group(1) @binding(2) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(4, 2) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.y * 8u + id.x;
  if (i < arrayLength(&y) && i < arrayLength(&x)) { y[i] = x[i].x ^ x[i].y; }
}`, [][]entryLayout{{{0, isReadOnly, 8}}, {{2, isStorage, 4}}}},
}

// A maker draws a program.
type maker struct {
	*rand.Rand
	program
	data     []int // storage buffers
	uniforms []int
	counts   []int
}

func (m *maker) chance(percent int) bool { return m.IntN(100) < percent }

func (m *maker) add(kind string, o op) {
	o.kind = kind
	m.ops = append(m.ops, o)
}

// generate draws a program from a seed. Half of the programs have one fault.
func generate(seed uint64) program {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 7))}
	m.makeBuffers()
	m.makePipelines()
	for range 1 + m.IntN(3) {
		m.submission()
	}
	m.readBack()
	if m.chance(50) {
		m.breakIt()
	}
	return m.program
}

func (m *maker) buffer(size uint64, usage uint32) int {
	m.buffers = append(m.buffers, buffer{size: size, usage: usage})
	return len(m.buffers) - 1
}

func (m *maker) makeBuffers() {
	for range 2 + m.IntN(3) {
		b := m.buffer(4*uint64(8+m.IntN(120)), storage|copySrc|copyDst)
		m.data = append(m.data, b)
		m.buffers[b].mapped = m.chance(50)
		if !m.buffers[b].mapped {
			m.add("write", op{a: b, n: m.buffers[b].size})
		}
	}
	for range 1 + m.IntN(2) {
		b := m.buffer(32, uniform|copyDst)
		m.uniforms = append(m.uniforms, b)
		m.add("write", op{a: b, n: 32})
	}
	b := m.buffer(24, indirect|copyDst)
	m.counts = append(m.counts, b)
	m.add("counts", op{a: b})
}

func (m *maker) makePipelines() {
	for range 1 + m.IntN(3) {
		p := pipeline{shader: m.IntN(len(shaders)), entry: "main"}
		if m.chance(40) {
			for _, g := range shaders[p.shader].groups {
				p.explicit = append(p.explicit, slices.Clone(g))
				for i := range g {
					if m.chance(60) {
						p.explicit[len(p.explicit)-1][i].least = 0
					}
				}
			}
		}
		m.pipelines = append(m.pipelines, p)
	}
}

// bind makes the groups of a pipeline and returns their numbers.
func (m *maker) bind(p int) (numbers []int) {
	used := map[int]bool{}
	for number, layout := range shaders[m.pipelines[p].shader].groups {
		g := group{pipeline: p, number: uint32(number)}
		for _, l := range layout {
			from := m.data
			if l.kind == isUniform {
				from = m.uniforms
			}
			b := from[m.IntN(len(from))]
			for used[b] {
				b = from[m.IntN(len(from))]
			}
			used[b] = true
			e := entry{binding: l.binding, buffer: b, size: m.buffers[b].size}
			if l.kind != isUniform && e.size >= 256+32 && m.chance(30) {
				e.offset, e.size = 256, (e.size-256)/8*8
			}
			g.entries = append(g.entries, e)
		}
		m.Shuffle(len(g.entries), func(i, j int) { g.entries[i], g.entries[j] = g.entries[j], g.entries[i] })
		m.groups = append(m.groups, g)
		numbers = append(numbers, len(m.groups)-1)
	}
	return numbers
}

func (m *maker) submission() {
	m.add("encoder", op{})
	for range 1 + m.IntN(3) {
		switch {
		case m.chance(60):
			m.pass()
		case m.chance(70):
			m.copy()
		default:
			b := m.data[m.IntN(len(m.data))]
			words := m.buffers[b].size / 4
			from := m.Uint64N(words)
			m.add("clear", op{a: b, x: 4 * from, n: 4 * (1 + m.Uint64N(words-from))})
		}
	}
	m.add("finish", op{})
	m.add("submit", op{})
	if m.chance(30) {
		b := m.data[m.IntN(len(m.data))]
		m.add("write", op{a: b, x: 4, n: 4 * m.Uint64N(m.buffers[b].size/4)})
	}
}

func (m *maker) copy() {
	from := m.IntN(len(m.data))
	to := (from + 1 + m.IntN(len(m.data)-1)) % len(m.data)
	a, b := m.data[from], m.data[to]
	words := min(m.buffers[a].size, m.buffers[b].size) / 4
	x, y := m.Uint64N(words), m.Uint64N(words)
	m.add("copy", op{a: a, b: b, x: 4 * x, y: 4 * y, n: 4 * m.Uint64N(words-max(x, y)+1)})
}

func (m *maker) pass() {
	m.add("begin", op{})
	for range 1 + m.IntN(2) {
		p := m.IntN(len(m.pipelines))
		m.add("pipeline", op{a: p})
		for number, g := range m.bind(p) {
			m.add("group", op{a: number, b: g})
		}
		if m.chance(20) {
			m.add("indirect", op{a: m.counts[0], x: 4 * m.Uint64N(4)})
		} else {
			m.add("dispatch", op{x: m.Uint64N(20), y: 1 + m.Uint64N(2), n: 1})
		}
	}
	m.add("end", op{})
}

// readBack reads all buffers that shaders may have changed.
func (m *maker) readBack() {
	var backs []int
	m.add("encoder", op{})
	for _, b := range m.data {
		size := m.buffers[b].size
		back := m.buffer(size, mapRead|copyDst)
		backs = append(backs, back)
		m.add("copy", op{a: b, b: back, n: size})
	}
	m.add("finish", op{})
	m.add("submit", op{})
	for _, back := range backs {
		offset := 8 * m.Uint64N(m.buffers[back].size/8)
		n := m.buffers[back].size - offset
		m.add("map", op{a: back, b: 1, x: offset, n: n})
		m.add("wait", op{})
		m.add("range", op{a: back, x: offset, n: n})
		m.add("unmap", op{a: back})
	}
}
