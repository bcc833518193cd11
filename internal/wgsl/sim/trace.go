package sim

import (
	"slices"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Trace is who touched which byte of memory, in the order in which this machine did. A run fills it. What an access
// out of bounds would have touched is not there, and neither is memory that an invocation has for itself.
//
// Invocations of a GPU go through the shader side by side: the neighbours' accesses that it makes at once are those of
// the same Site with the same Turn.
type Trace struct {
	Limit int // how many accesses and waits are kept; 0 stands for DefaultTrace

	Variables []TracedVariable
	Sites     []Site
	Accesses  []Access
	Meetings  []Meeting
	Cut       bool // there were more than Limit: the first are kept
}

// DefaultTrace takes some 32 MB.
const DefaultTrace = 1 << 20

// A TracedVariable is a buffer or a variable of workgroup memory. Its elements are those of the array that it is, of
// the innermost where arrays hold arrays; of a structure, words of 4 bytes; of anything else, itself.
type TracedVariable struct {
	Object       *types.Object
	Element      types.Type // nil for a word of a structure
	ElementBytes uint32     // from one element to the next (§ 14.4)
	Elements     int
	Columns      int // elements of the innermost of arrays of arrays; 0 without such

	words uint32 // of an element in workgroup memory
}

// AccessKind is what an access does.
type AccessKind uint8

// The kinds of access.
const (
	Read AccessKind = iota
	Write
	Atomic // whatever the operation is
)

func (k AccessKind) String() string { return [...]string{"read", "write", "atomic"}[k] }

// A Site is a place in the source that accesses memory.
type Site struct {
	Span shader.Span
	Text string
	Kind AccessKind
}

// An Access is one access by one invocation.
type Access struct {
	Site, Variable uint32 // indexes of Sites and Variables
	Workgroup      uint32 // its number, counted in x, then y, then z
	Invocation     uint32 // its local_invocation_index
	Turn           uint32 // how often this invocation had come to the site before
	Phase          uint32 // how many barriers its workgroup had passed before
	Offset, Bytes  uint32 // in the variable, as § 14.4 lays it out in buffers
}

// A Meeting is where no invocation of a workgroup could go on before a barrier.
type Meeting struct {
	Workgroup uint32
	Phase     uint32        // that ends here
	Waiting   []shader.Span // for each invocation, the barrier that it waits at; zero where it has ended
}

// A tracer fills a trace. It has the machine stop before each access, so that one that nobody traces pays nothing.
type tracer struct {
	*Trace
	code   []instr // the watched code, with a stop in the place of each access
	single []instr // nothing but stops
	left   int
	sites  []uint32   // for each instruction: 1 + its site
	shared []uint32   // the words where workgroup memory's variables begin; they follow the bindings in Variables
	turns  [][]uint32 // for each site and invocation of the workgroup
	phase  uint32
}

// newTracer begins a trace, and leaves nothing of an earlier one in it.
func (d *dispatch) newTracer(t *Trace) *tracer {
	*t = Trace{Limit: t.Limit}
	if t.Limit == 0 {
		t.Limit = DefaultTrace
	}
	r := &tracer{
		Trace: t, left: t.Limit, sites: make([]uint32, len(d.code)),
		code: slices.Clone(d.watchedCode), single: slices.Repeat([]instr{{op: opStmt}}, len(d.code)+1),
	}
	for i, in := range r.code {
		if _, ok := accesses[in.op]; ok {
			r.code[i].op = opStmt
		}
	}
	layout := &compiler{Program: d.Program}
	for i, b := range d.Bindings {
		t.Variables = append(t.Variables, layout.traced(b.Object, d.host.regions[i].size))
	}
	for _, v := range d.variables {
		if v.where == inShared {
			t.Variables = append(t.Variables, layout.traced(v.object, uint32(d.Pipeline.SizeOf(v.object.Store()))))
			r.shared = append(r.shared, v.base)
		}
	}
	return r
}

// traced says what the elements of a variable of so many bytes are.
func (c *compiler) traced(o *types.Object, bytes uint32) TracedVariable {
	v := TracedVariable{Object: o, Element: o.Store(), ElementBytes: uint32(types.SizeOf(o.Store())), Elements: 1}
	for depth := 0; ; depth++ {
		a, ok := v.Element.(*types.Array)
		if !ok {
			break
		}
		v.Element, v.ElementBytes = a.Elem, uint32(a.Stride())
		if depth > 0 {
			v.Columns = int(c.Pipeline.Count(a))
		}
	}
	if _, ok := o.Store().(*types.Struct); ok {
		v.Element, v.ElementBytes, v.words = nil, 4, 1
	} else {
		v.words = c.words(v.Element)
	}
	v.Elements = int(bytes / max(v.ElementBytes, 1))
	return v
}

// accesses are the watched operations that touch shared memory, and what they do.
var accesses = map[op]AccessKind{
	opLdWw: Read, opLdMw: Read, opLdHw: Read, opLdRunw: Read,
	opStWw: Write, opStMw: Write, opStHw: Write, opStRunw: Write, opAtomic: Atomic,
}

func (t *tracer) enter() {
	t.phase = 0
	for _, turns := range t.turns {
		clear(turns)
	}
}

// stopped is called where an invocation has stopped: before an access, which is noted and done, or, in a program
// compiled with debug, before a statement.
func (t *tracer) stopped(m *machine, inv *invocation) {
	pc := inv.pc - 1
	in := m.watchedCode[pc]
	if in.op == opStmt {
		return
	}
	t.access(m, inv, pc)
	t.single[pc], m.code = in, t.single
	inv.pc = pc
	m.exec(inv)
	t.single[pc].op, m.code = opStmt, t.code
	inv.pc = pc + 1
	m.steps -= 2 // the stops before and after it
}

// access notes what the instruction is about to touch.
func (t *tracer) access(m *machine, inv *invocation, pc uint32) {
	in := &m.watchedCode[pc]
	address, n := inv.slots[in.b]+in.c, uint32(in.n)
	switch in.op {
	case opLdWw, opStWw:
		t.touchShared(m, inv, pc, address, n)
	case opLdMw, opStMw:
		t.touchBuffer(m, inv, pc, address, 4*n)
	case opLdHw, opStHw:
		t.touchBuffer(m, inv, pc, address, 2)
	case opLdRunw, opStRunw:
		run := &m.runs[in.c]
		if i := inv.slots[in.b]; i < run.length {
			binding := m.arrays[in.c].binding
			t.keep(m, inv, pc, Access{Variable: uint32(binding), Offset: run.base + 4*i - m.regions[binding].base, Bytes: 4})
		}
	case opAtomic:
		if in.n&atomicInBuffer != 0 {
			t.touchBuffer(m, inv, pc, inv.slots[in.b], 4)
		} else {
			t.touchShared(m, inv, pc, inv.slots[in.b], 1)
		}
	}
}

// touchBuffer finds the variable at an address; the first, where several share a buffer.
func (t *tracer) touchBuffer(m *machine, inv *invocation, pc, address, bytes uint32) {
	for i, r := range m.regions {
		if r.base <= address && address-r.base < r.size {
			t.keep(m, inv, pc, Access{Variable: uint32(i), Offset: address - r.base, Bytes: bytes})
			return
		}
	}
}

// touchShared finds the variable at a word of workgroup memory, where values lie without padding.
func (t *tracer) touchShared(m *machine, inv *invocation, pc, word, n uint32) {
	for i := len(t.shared) - 1; i >= 0; i-- {
		if word < t.shared[i] || word >= uint32(len(m.shared)) {
			continue
		}
		number := len(m.regions) + i
		v := &t.Variables[number]
		at := word - t.shared[i]
		a := Access{Variable: uint32(number), Offset: at/v.words*v.ElementBytes + at%v.words*4, Bytes: 4 * n}
		if n%v.words == 0 {
			a.Bytes = n / v.words * v.ElementBytes
		}
		t.keep(m, inv, pc, a)
		return
	}
}

func (t *tracer) keep(m *machine, inv *invocation, pc uint32, a Access) {
	if t.left == 0 {
		t.Cut = true
		return
	}
	t.left--
	if t.sites[pc] == 0 {
		t.addSite(m, pc)
	}
	a.Site = t.sites[pc] - 1
	turn := &t.turns[a.Site][inv.local]
	a.Workgroup, a.Invocation, a.Turn, a.Phase = m.groupNumber, inv.local, *turn, t.phase
	*turn++
	t.Accesses = append(t.Accesses, a)
}

func (t *tracer) addSite(m *machine, pc uint32) {
	span := m.notes[pc].span
	t.Sites = append(t.Sites, Site{SpanOf(m.source, span), m.text(span), accesses[m.watchedCode[pc].op]})
	t.turns = append(t.turns, make([]uint32, len(m.invs)))
	t.sites[pc] = uint32(len(t.Sites))
}

// meet notes who waits; each invocation counts as one access.
func (t *tracer) meet(m *machine) {
	t.phase++
	if t.left < len(m.invs) {
		t.Cut = true
		return
	}
	t.left -= len(m.invs)
	at := make([]shader.Span, len(m.invs))
	for i := range m.invs {
		if inv := &m.invs[i]; inv.state == waiting {
			at[i] = SpanOf(m.source, m.notes[inv.pc-1].span)
		}
	}
	t.Meetings = append(t.Meetings, Meeting{m.groupNumber, t.phase - 1, at})
}
