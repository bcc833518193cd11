package sim

import (
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Trace lists which invocation touched which byte of memory, in this machine's order. A run fills
// it. It omits accesses out of bounds and memory that belongs to a single invocation.
//
// On a GPU, invocations go through the shader side by side. Neighbours make those accesses together
// that have the same Site and the same Turn.
type Trace struct {
	Limit int // maximum number of accesses and waits to keep; 0 means DefaultTrace

	Variables []TracedVariable
	Sites     []Site
	Accesses  []Access
	Meetings  []Meeting
	Cut       bool // there were more than Limit, and only the first are kept
}

// DefaultTrace needs about 32 MB.
const DefaultTrace = 1 << 20

// A TracedVariable is a buffer or a variable in workgroup memory. Its elements are the array's
// elements, or those of the innermost array in nested arrays. A structure's elements are words of 4
// bytes. Any other variable is its own only element.
type TracedVariable struct {
	Object       *types.Object
	Element      types.Type // nil for a word of a structure
	ElementBytes uint32     // from one element to the next (§ 14.4)
	Elements     int
	Columns      int // length of the innermost array if arrays are nested; else 0

	words uint32 // words of an element in workgroup memory
}

// A Site is a place in the source that accesses memory.
type Site struct {
	Span findings.Region
	Text string
	Kind ir.AccessKind
}

// An Access is one access by one invocation.
type Access struct {
	Site, Variable uint32 // indexes of Sites and Variables
	Workgroup      uint32 // its number, counted in x, then y, then z
	Invocation     uint32 // its local_invocation_index
	Turn           uint32 // how often this invocation had reached the site before
	Phase          uint32 // how many barriers its workgroup had passed before
	Offset, Bytes  uint32 // in the variable, in the buffer layout of § 14.4
}

// A Meeting is a moment at which every invocation of a workgroup waits at a barrier or has ended.
type Meeting struct {
	Workgroup uint32
	Phase     uint32            // the phase that ends here
	Waiting   []findings.Region // each invocation's barrier; zero if the invocation has ended
}

// A tracer fills a trace. The machine stops for it before each access, so an untraced run pays
// nothing.
type tracer struct {
	*Trace
	memoryMap
	stops
	left  int
	sites []uint32   // for each instruction, 1 + its site
	turns [][]uint32 // for each site and invocation of the workgroup
	phase uint32
}

// stops are code in which the machine stops before some instructions.
type stops struct {
	code   []ir.Instr
	single []ir.Instr // nothing but stops
}

// stopping returns code that stops before the instructions that at chooses.
func stopping(code []ir.Instr, at func(pc int) bool) stops {
	s := stops{slices.Clone(code), slices.Repeat([]ir.Instr{{Op: ir.OpStatement}}, len(code)+1)}
	for pc := range code {
		if at(pc) {
			s.code[pc].Op = ir.OpStatement
		}
	}
	return s
}

// execute executes an instruction before which the machine has stopped.
func (s *stops) execute(m *machine, inv *invocation, pc uint32, in ir.Instr) {
	s.single[pc], m.code = in, s.single
	inv.pc = pc
	m.exec(inv)
	s.single[pc].Op, m.code = ir.OpStatement, s.code
	inv.pc--     // it is after the next stop
	m.steps -= 2 // the stops before and after it
}

// joined changes nothing: what invocations pass each other directly is no access to memory.
func (s *stops) joined(*machine, joining) {}

// A memoryMap knows which variable has its place where in memory.
type memoryMap struct {
	variables []TracedVariable // those of the bindings, then those of workgroup memory
	shared    []uint32         // first words of those of workgroup memory
}

// memoryMap maps the memory of a dispatch. A texel takes as many bytes as its format has, as if the
// texels of a texture lay in order: the specification leaves open where a device puts them.
func (d *dispatch) memoryMap() (m memoryMap) {
	for i, b := range d.Bindings {
		v := d.traced(b.Object, d.host.regions[i].size)
		if t := d.host.handles[i].BoundTexture; t != nil {
			v.ElementBytes = uint32(t.Format.Bytes)
			if d.host.handles[i].axes > 1 {
				v.Columns = int(t.Size[0])
			}
		}
		m.variables = append(m.variables, v)
	}
	for _, v := range d.Variables {
		if v.Where == ir.InShared {
			m.variables = append(m.variables, d.traced(v.Object, uint32(d.Pipeline.SizeOf(v.Object.Store()))))
			m.shared = append(m.shared, v.Base)
		}
	}
	return m
}

// newTracer starts a trace and clears any earlier content.
func (d *dispatch) newTracer(t *Trace) *tracer {
	*t = Trace{Limit: t.Limit}
	if t.Limit == 0 {
		t.Limit = DefaultTrace
	}
	r := &tracer{Trace: t, memoryMap: d.memoryMap(), left: t.Limit, sites: make([]uint32, len(d.Code))}
	r.stops = stopping(d.WatchedCode, func(pc int) bool { return d.Code[pc].Op.Info().Shared() })
	t.Variables = r.variables
	return r
}

// traced describes the elements of a variable with this size in bytes.
func (p *Program) traced(o *types.Object, bytes uint32) TracedVariable {
	store := o.Store()
	if t, ok := store.(*types.Texture); ok {
		store = ir.TexelType(t)
	}
	v := TracedVariable{Object: o, Element: store, ElementBytes: uint32(types.SizeOf(store)), Elements: 1}
	for depth := 0; ; depth++ {
		a, ok := v.Element.(*types.Array)
		if !ok {
			break
		}
		v.Element, v.ElementBytes = a.Elem, uint32(a.Stride())
		if depth > 0 {
			v.Columns = int(p.Pipeline.Count(a))
		}
	}
	switch store.(type) {
	case *types.Struct:
		v.Element, v.ElementBytes, v.words = nil, 4, 1
	case *types.Buffer:
		v.Element, v.ElementBytes, v.words = types.U32, 4, 1
	default:
		if v.words = p.FlatWords(v.Element); p.SharedBytes {
			v.words = v.ElementBytes / 4
		}
	}
	v.Elements = int(bytes / max(v.ElementBytes, 1))
	return v
}

func (t *tracer) enter() {
	t.phase = 0
	for _, turns := range t.turns {
		clear(turns)
	}
}

// stopped handles a stop of an invocation. Before an access, it notes and executes the access. In a
// program compiled with debug, the stop may also be before a statement.
func (t *tracer) stopped(m *machine, inv *invocation) {
	pc := inv.pc - 1
	in := m.WatchedCode[pc]
	if in.Op == ir.OpStatement {
		return
	}
	if a, ok := t.touched(m, inv, &in); ok {
		t.keep(m, inv, pc, a)
	}
	t.execute(m, inv, pc, in)
}

// touched returns the memory that an instruction is about to touch: the variable, and the bytes in
// it. It returns false if the access is out of bounds.
func (v *memoryMap) touched(m *machine, inv *invocation, in *ir.Instr) (Access, bool) {
	address, n := inv.slots[in.B]+in.C, uint32(in.N)
	switch in.Op {
	case ir.OpLoadWorkgroup, ir.OpStoreWorkgroup, ir.OpLoadWorkgroupWatched, ir.OpStoreWorkgroupWatched:
		return v.inShared(m, address, n)
	case ir.OpLoadBuffer, ir.OpStoreBuffer, ir.OpLoadBufferWatched, ir.OpStoreBufferWatched:
		return v.inBuffer(m, address, 4*n)
	case ir.OpLoadHalf, ir.OpStoreHalf, ir.OpLoadHalfWatched, ir.OpStoreHalfWatched:
		return v.inBuffer(m, address, 2)
	case ir.OpLoadElement, ir.OpStoreElement, ir.OpLoadElementWatched, ir.OpStoreElementWatched:
		run, i := &m.runs[in.C], inv.slots[in.B]
		binding := m.Arrays[in.C].Binding
		return Access{Variable: uint32(binding), Offset: run.base + 4*i - m.regions[binding].base, Bytes: 4}, i < run.length
	case ir.OpAtomic:
		if in.N&ir.AtomicInBuffer != 0 {
			return v.inBuffer(m, inv.slots[in.B], 4)
		}
		return v.inShared(m, inv.slots[in.B], 1)
	}
	return Access{}, false
}

// inBuffer finds the variable at an address, or the first if several share a buffer.
func (v *memoryMap) inBuffer(m *machine, address, bytes uint32) (Access, bool) {
	for i, r := range m.regions {
		if r.base <= address && address-r.base < r.size {
			if m.handles[i].BoundTexture != nil {
				texel := v.variables[i].ElementBytes
				return Access{Variable: uint32(i), Offset: (address - r.base) / (ir.TexelWords * 4) * texel, Bytes: texel}, true
			}
			return Access{Variable: uint32(i), Offset: address - r.base, Bytes: bytes}, true
		}
	}
	return Access{}, false
}

// inShared finds the variable at a word of workgroup memory, where values have no padding.
func (v *memoryMap) inShared(m *machine, word, n uint32) (Access, bool) {
	for i := len(v.shared) - 1; i >= 0; i-- {
		if word < v.shared[i] || word >= uint32(len(m.shared)) {
			continue
		}
		number := len(m.regions) + i
		variable := &v.variables[number]
		at := word - v.shared[i]
		a := Access{Variable: uint32(number), Offset: at/variable.words*variable.ElementBytes + at%variable.words*4, Bytes: 4 * n}
		if n%variable.words == 0 {
			a.Bytes = n / variable.words * variable.ElementBytes
		}
		return a, true
	}
	return Access{}, false
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
	span := m.Notes[pc].Span
	t.Sites = append(t.Sites, Site{m.Source.Region(span), m.Text(span), m.WatchedCode[pc].Op.Info().Access})
	t.turns = append(t.turns, make([]uint32, len(m.invs)))
	t.sites[pc] = uint32(len(t.Sites))
}

// meet notes the waiting invocations; each counts as one access.
func (t *tracer) meet(m *machine) {
	t.phase++
	if t.left < len(m.invs) {
		t.Cut = true
		return
	}
	t.left -= len(m.invs)
	at := make([]findings.Region, len(m.invs))
	for i := range m.invs {
		if inv := &m.invs[i]; inv.state == waiting {
			at[i] = m.Source.Region(m.Notes[inv.pc-1].Span)
		}
	}
	t.Meetings = append(t.Meetings, Meeting{m.groupNumber, t.phase - 1, at})
}
