package main

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
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
	limits    bool   // it requests a device of its own, with limits
	groupsMax uint32 // its maxBindGroups
	fault     string
}

type buffer struct {
	size   uint64
	usage  uint32
	mapped bool // at creation, with words in it
}

// A pipeline is a shader with an automatic layout, or with an explicit one.
type pipeline struct {
	shader    int
	prefix    string // before the shader's text
	overrides bool   // for the constants of the shader that has several entry points
	entry     string
	explicit  [][]entryLayout // by group; nil for automatic
}

// text returns the text of the pipeline's shader.
func (p pipeline) text() string {
	text := shaders[p.shader].text
	if p.overrides {
		text = strings.Replace(text, constants, overrides, 1)
	}
	return p.prefix + text
}

type entryLayout struct {
	binding uint32
	kind    int // 1 uniform, 2 storage, 3 read-only
	least   uint64
	visible uint32 // to stages, as WebGPU's flags; 0 means compute alone
}

// The flags of stages.
const (
	vertex   = 1
	fragment = 2
	compute  = 4
)

// stages returns the stages that see the entry.
func (e entryLayout) stages() uint32 {
	if e.visible == 0 {
		return compute
	}
	return e.visible
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
		Limits                          map[string]uint32 `json:",omitempty"`
		Fault                           string
	}{Fault: p.fault}
	if p.limits {
		all.Limits = map[string]uint32{"maxBindGroups": p.groupsMax}
	}
	for _, b := range p.buffers {
		all.Buffers = append(all.Buffers, []any{b.size, b.usage, b.mapped})
	}
	for _, l := range p.pipelines {
		var groups []any
		for _, entries := range l.explicit {
			group := []any{}
			for _, e := range entries {
				group = append(group, []any{e.binding, e.kind, e.least, e.stages()})
			}
			groups = append(groups, group)
		}
		all.Pipelines = append(all.Pipelines, []any{l.text(), len(shaders[l.shader].groups), l.entry, groups})
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

// A shader is a text with an entry point, and the layouts of its groups.
type shader struct {
	text   string
	entry  string
	groups [][]entryLayout
}

const (
	isUniform  = 1
	isStorage  = 2
	isReadOnly = 3
)

// The values that the entry points of a shader use, as constants and as overrides. One of those has
// no value.
const (
	constants = "const n = 3u;\nconst twice = 6u;\n"
	overrides = "override n: u32 = 3;\n@id(7) override twice = n * 2u;\noverride missing: u32;\n" +
		"@compute @workgroup_size(missing) fn sized() { x[0] = 1u; }\n"
)

// several is a shader whose entry points need other things: variables at the same bindings, and
// workgroup memory. Together they need more than the 16,384 bytes that a device has.
const several = constants + `@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@group(0) @binding(0) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(0) var<uniform> p: vec4<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(1) @binding(0) var<storage, read_write> far: array<u32>;
var<workgroup> a: array<u32, 32>;
var<workgroup> b: array<u32, 32>;
var<workgroup> c: array<u32, 32>;
var<workgroup> big: array<u32, 4090>;
@compute @workgroup_size(32) fn first(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
  a[i] = n;
  if (id.x < arrayLength(&x) && id.y + id.z == 0u) { x[id.x] = x[id.x] * a[i] + twice; }
}
@compute @workgroup_size(32) fn second(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
  b[i] = 5u;
  if (id.x < arrayLength(&y) && id.x < arrayLength(&pairs) && id.y + id.z == 0u) { y[id.x] += pairs[id.x].y * b[i]; }
}
@compute @workgroup_size(32) fn third(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
  c[i] = id.x;
  if (id.x < arrayLength(&far) && id.y + id.z == 0u) { far[id.x] ^= p.w + c[i]; }
}
@compute @workgroup_size(32) fn all(@builtin(local_invocation_index) i: u32) { a[i] = i; b[i] = i; c[i] = i; big[i] = i; x[i] = a[i] + b[i] + c[i] + big[i]; }
`

var shaders = []shader{
	{`@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&x) && id.y + id.z == 0u) { x[id.x] = x[id.x] * 3u + 1u; }
}`, "main", [][]entryLayout{{layoutOf(0, isStorage, 4)}}},
	{`@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&y) && id.x < arrayLength(&x) && id.y + id.z == 0u) { y[id.x] = x[id.x] + 2u * y[id.x]; }
}`, "main", [][]entryLayout{{layoutOf(0, isReadOnly, 4), layoutOf(1, isStorage, 4)}}},
	{`struct Params { a: u32, b: vec3<u32> }
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(16) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&y) && id.y + id.z == 0u) { y[id.x] = p.a * y[id.x] + p.b.y + id.x; }
}`, "main", [][]entryLayout{{layoutOf(0, isUniform, 32), layoutOf(1, isStorage, 4)}}},
	{`@group(0) @binding(0) var<storage, read> x: array<vec2<u32>>;
@group(1) @binding(2) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(4, 2) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.y * 8u + id.x;
  if (i < arrayLength(&y) && i < arrayLength(&x)) { y[i] = x[i].x ^ x[i].y; }
}`, "main", [][]entryLayout{{layoutOf(0, isReadOnly, 8)}, {layoutOf(2, isStorage, 4)}}},
	{several, "first", [][]entryLayout{{layoutOf(0, isStorage, 4)}}},
	{several, "second", [][]entryLayout{{layoutOf(0, isReadOnly, 8), layoutOf(1, isStorage, 4)}}},
	{several, "third", [][]entryLayout{{layoutOf(0, isUniform, 16)}, {layoutOf(0, isStorage, 4)}}},
}

func layoutOf(binding uint32, kind int, least uint64) entryLayout {
	return entryLayout{binding: binding, kind: kind, least: least}
}

// A maker draws a program.
type maker struct {
	*rand.Rand
	program
	data     []int // storage buffers
	uniforms []int
	counts   []int
	spare    int // a buffer that only fragment shaders would read
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
	if m.chance(10) {
		m.limits, m.groupsMax = true, 4
	}
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
	m.spare = m.buffer(256, storage|uniform)
}

func (m *maker) makePipelines() {
	for range 1 + m.IntN(3) {
		p := pipeline{shader: m.IntN(len(shaders))}
		p.entry = shaders[p.shader].entry
		if m.chance(40) {
			for number, g := range shaders[p.shader].groups {
				p.explicit = append(p.explicit, m.layout(g))
				if number == 0 && m.chance(25) {
					p.explicit[0] = m.unseen(p.explicit[0])
				}
			}
		}
		m.pipelines = append(m.pipelines, p)
	}
}

// layout draws an explicit layout, and who else sees each entry.
func (m *maker) layout(of []entryLayout) []entryLayout {
	l := slices.Clone(of)
	for i := range l {
		if m.chance(60) {
			l[i].least = 0
		}
		if m.chance(40) {
			l[i].visible = compute | fragment
			if l[i].kind != isStorage && m.chance(50) {
				l[i].visible |= vertex
			}
		}
	}
	return l
}

// unseen adds entries that compute shaders don't see: they count for another stage.
func (m *maker) unseen(l []entryLayout) []entryLayout {
	kind := isReadOnly
	if m.chance(30) {
		kind = isUniform
	}
	for i := range 5 {
		l = append(l, entryLayout{binding: uint32(firstUnseen + i), kind: kind, visible: fragment})
	}
	return l
}

// firstUnseen is the first binding that no compute shader sees.
const firstUnseen = 20

// layoutsOf returns the layouts of a pipeline's groups.
func (m *maker) layoutsOf(p int) [][]entryLayout {
	if explicit := m.pipelines[p].explicit; explicit != nil {
		return explicit
	}
	return shaders[m.pipelines[p].shader].groups
}

// bind makes the groups of a pipeline and returns their numbers.
func (m *maker) bind(p int) (numbers []int) {
	used := map[int]bool{}
	for number, layout := range m.layoutsOf(p) {
		g := group{pipeline: p, number: uint32(number)}
		for _, l := range layout {
			if l.binding >= firstUnseen {
				g.entries = append(g.entries, entry{binding: l.binding, buffer: m.spare, size: 256})
				continue
			}
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
