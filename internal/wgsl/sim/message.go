package sim

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// What was seen, in the learner's words.

// SpanOf turns a span of the front end into one of shader: characters instead of bytes.
func SpanOf(source *syntax.Source, s syntax.Span) shader.Span {
	column := func(p syntax.Position, offset int32) int {
		line := source.Line(p.Line)
		return utf8.RuneCountInString(source.Text[line.Start:max(line.Start, offset)]) + 1
	}
	from, to := source.Position(s.Start), source.Position(s.End)
	return shader.Span{Line: from.Line, Column: column(from, s.Start), EndLine: to.Line, EndColumn: column(to, s.End)}
}

func (m *machine) place(pc, local uint32) shader.Place {
	return m.placeIn(m.notes[pc].span, m.group, local)
}

func (m *machine) placeIn(s syntax.Span, group [3]uint32, local uint32) shader.Place {
	return shader.Place{Span: SpanOf(m.source, s), Workgroup: group, Invocation: m.idOf(local)}
}

func (m *machine) idOf(local uint32) [3]uint32 {
	size := m.Pipeline.WorkgroupSize
	return [3]uint32{local % size[0], local / size[0] % size[1], local / size[0] / size[1]}
}

// text is a piece of the source on one line.
func (m *machine) text(s syntax.Span) string {
	return strings.Join(strings.Fields(m.source.Slice(s)), " ")
}

// name3 is an id as people read it: a number where only x counts.
func name3(id [3]uint32, flat bool) string {
	if flat {
		return strconv.Itoa(int(id[0]))
	}
	return fmt.Sprintf("(%d, %d, %d)", id[0], id[1], id[2])
}

func (m *machine) who(local uint32) string {
	size := m.Pipeline.WorkgroupSize
	return name3(m.idOf(local), size[1] == 1 && size[2] == 1)
}

func (m *machine) which(group [3]uint32) string {
	return name3(group, group[1] == 0 && group[2] == 0)
}

func (m *machine) invocationOf(local uint32) string {
	return fmt.Sprintf("invocation %s of workgroup %s", m.who(local), m.which(m.group))
}

// A spot is a word of memory as the shader names it: s[49], params.n.
type spot struct {
	text     string
	variable string
	index    int // of the outermost array; -1 without one
	length   int
}

// sharedSpot names a word of workgroup memory.
func (m *machine) sharedSpot(word uint32) spot {
	for _, v := range m.variables {
		if v.where == inShared && v.object != nil && v.slots == nil {
			if n := m.flatWords(v.object.Store()); word >= v.base && word-v.base < n {
				return m.spot(v.object, word-v.base, false, -1)
			}
		}
	}
	return spot{index: -1, length: -1}
}

// bufferSpot names a byte of the buffers.
func (m *machine) bufferSpot(address uint32) spot {
	for i, b := range m.Bindings {
		if r := m.regions[i]; r.base <= address && address-r.base < r.size {
			return m.spot(b.Object, address-r.base, true, int(r.size))
		}
	}
	return spot{index: -1, length: -1}
}

func (m *machine) spot(o *types.Object, offset uint32, bytes bool, size int) spot {
	s := spot{text: o.Name, variable: o.Name, index: -1, length: -1}
	m.walkSpot(&s, o.Store(), offset, bytes, size)
	return s
}

func (m *machine) walkSpot(s *spot, t types.Type, offset uint32, bytes bool, size int) {
	layout := compiler{Program: m.Program}
	where := inShared
	if bytes {
		where = inBuffers
	}
	switch t := t.(type) {
	case *types.Struct:
		for i, member := range t.Members {
			at, n := layout.memberWord(t, i), layout.words(member.Type)
			if bytes {
				at, n = uint32(member.Offset), uint32(member.Size)
				if types.HasRuntimeArray(member.Type) {
					n = math.MaxUint32 - at
				}
			}
			if at <= offset && offset-at < n {
				s.text += "." + member.Name
				m.walkSpot(s, member.Type, offset-at, bytes, size-int(at))
				return
			}
		}
	case *types.Array, *types.Matrix, *types.Vector:
		elem, count := layout.parts(t)
		stride := layout.stride(where, t)
		index := offset / stride
		if _, vector := t.(*types.Vector); vector {
			s.text += "." + string("xyzw"[min(index, 3)])
			return
		}
		s.text += fmt.Sprintf("[%d]", index)
		if _, array := t.(*types.Array); array && s.index < 0 {
			s.index, s.length = int(index), int(count)
			if count == 0 {
				s.length = size / int(stride)
			}
		}
		m.walkSpot(s, elem, offset%stride, bytes, size)
	}
}

func (m *machine) flatWords(t types.Type) uint32 { return (&compiler{Program: m.Program}).words(t) }

// race tells of two accesses in one workgroup. Word counts cells.
//
// Two ways are races by the letter that no GPU is known to show, and so are only remarked: two that write the same
// value; and a write after a read with a barrier between that orders the other memory only, which holds the writer back
// all the same.
func (w *watcher) race(m *machine, kind string, word uint32, before, now stamp, how raceWay) {
	heldBack := how == writeAfterRead && before.aside != now.aside
	told := kind
	if heldBack || how == sameWritten {
		told += " remarked"
	}
	if !w.once(told, before.pc, now.pc) {
		return
	}
	where := m.raceSpot(kind, word)
	barrier, other, start := "workgroupBarrier()", "storageBarrier()", w.sharedStart
	if kind == RaceStorage {
		barrier, other, start = other, barrier, w.bufferStart
	}
	first, second := m.place(before.pc, before.who), m.place(now.pc, now.who)
	advice := fmt.Sprintf("no `%s` stands between", barrier)
	switch {
	case heldBack:
		advice = fmt.Sprintf("only a `%s` stands between, and what orders this memory is `%s`", other, barrier)
	case how == sameWritten:
		advice = "it is the same value, so it does no harm here, though WGSL promises nothing"
	case (before.pc < start) != (now.pc < start): // one came to it by going round
		advice = fmt.Sprintf("no `%s` stands between one round of the loop and the next", barrier)
	case before.pc == now.pc:
		advice = "whose value stays is left to chance"
	}
	w.tell(raceFinding(kind, where, first, second, how, heldBack || how == sameWritten, fmt.Sprintf("invocations %s and %s of workgroup %s: %s; %s",
		m.who(before.who), m.who(now.who), m.which(m.group),
		sides(m.who(before.who), m.who(now.who), where, first, second, how), advice)))
}

// raceAcross tells of accesses by two workgroups.
func (w *watcher) raceAcross(m *machine, cell uint32, before, now stamp, how raceWay) {
	told := RaceStorage
	if how == sameWritten {
		told += " remarked"
	}
	if !w.once(told, before.pc, now.pc) {
		return
	}
	where := m.raceSpot(RaceStorage, cell)
	group := m.groupID(before.phase - 1)
	first, second := m.placeIn(m.notes[before.pc].span, group, before.who), m.place(now.pc, now.who)
	a := fmt.Sprintf("invocation %s of workgroup %s", m.who(before.who), m.which(group))
	b := m.invocationOf(now.who)
	advice := "nothing orders two workgroups of one dispatch, and no barrier does either"
	if how == sameWritten {
		advice = "it is the same value, so it does no harm here, though WGSL promises nothing"
	}
	w.tell(raceFinding(RaceStorage, where, first, second, how, how == sameWritten,
		sides(a, b, where, first, second, how)+"; "+advice))
}

func (m *machine) groupID(number uint32) [3]uint32 {
	n := m.count
	return [3]uint32{number % n[0], number / n[0] % n[1], number / n[0] / n[1]}
}

func (m *machine) raceSpot(kind string, cell uint32) spot {
	if kind == RaceWorkgroup {
		return m.sharedSpot(cell)
	}
	return m.bufferSpot(cell << (2 - m.halfShift()))
}

func sides(a, b string, where spot, first, second shader.Place, how raceWay) string {
	switch {
	case how == readAfterWrite: // the reader first
		return fmt.Sprintf("%s reads `%s` on line %d and %s writes it on line %d", b, where.text, second.Line, a, first.Line)
	case how == writeAfterRead:
		return fmt.Sprintf("%s reads `%s` on line %d and %s writes it on line %d", a, where.text, first.Line, b, second.Line)
	case first.Line == second.Line:
		return fmt.Sprintf("%s and %s both write `%s` on line %d", a, b, where.text, first.Line)
	}
	return fmt.Sprintf("%s writes `%s` on line %d and %s writes it on line %d", a, where.text, first.Line, b, second.Line)
}

// raceFinding stands at the reader, if one only reads, and has the writer as the other side.
func raceFinding(kind string, where spot, first, second shader.Place, how raceWay, harmless bool, message string) shader.Finding {
	if how == writeAfterRead {
		first, second = second, first
	}
	f := shader.Finding{
		Kind: kind, Severity: shader.SeverityError, Message: message, Place: second, Other: &first,
		Variable: where.variable, Index: where.index, Length: where.length, Reads: how == readAfterWrite || how == writeAfterRead,
	}
	if harmless {
		f.Severity = shader.SeverityRemark
	}
	return f
}

// remark makes a finding that has no variable.
func (m *machine) remark(kind string, pc, local uint32, format string, args ...any) shader.Finding {
	return shader.Finding{
		Kind: kind, Severity: shader.SeverityRemark, Place: m.place(pc, local), Index: -1, Length: -1,
		Message: fmt.Sprintf(format, args...),
	}
}

func (w *watcher) unwritten(m *machine, inv *invocation, pc, word uint32) {
	if !w.once(UnwrittenRead, pc, pc) {
		return
	}
	where := m.sharedSpot(word)
	f := m.remark(UnwrittenRead, pc, inv.local, "%s reads `%s`, which nobody in its workgroup has written: it is 0 then",
		m.invocationOf(inv.local), where.text)
	f.Variable, f.Index, f.Length = where.variable, where.index, where.length
	w.tell(f)
}

func (m *machine) outsideRead(inv *invocation, pc, address uint32) {
	m.outside(inv, OutOfBoundsRead, pc, address)
}

func (m *machine) outsideWrite(inv *invocation, pc, address uint32) {
	m.outside(inv, OutOfBoundsWrite, pc, address)
}

// outside tells of an access by way of an address that an index out of bounds has made.
func (m *machine) outside(inv *invocation, kind string, pc, address uint32) {
	if m.watch == nil {
		return
	}
	if kind == OutOfBoundsWrite {
		m.watch.writer(inv.local)
	}
	made := address &^ noAddress
	if !m.watch.once(kind, pc, made) {
		return
	}
	n := m.notes[made]
	index, length := m.badAt[made], m.limitAt(inv, made)
	base := m.baseText(n)
	verb, effect := "reads", "it gets 0 here, and on a GPU perhaps another element"
	if kind == OutOfBoundsWrite {
		verb, effect = "writes", "the write is dropped here, and a GPU may put it into another element"
	}
	number := formatBits(index, n.kind)
	text := fmt.Sprintf("%s %s `%s[%s]`, but `%s` has %s", m.invocationOf(inv.local), verb, base, number, base, elements(length))
	if source := m.text(n.index); source != number {
		text += fmt.Sprintf("; `%s` is %s", source, number)
	}
	f := shader.Finding{
		Kind: kind, Severity: shader.SeverityError, Message: text + "; " + effect, Place: m.place(pc, inv.local),
		Variable: rootName(base), Index: signedIndex(index, n.kind), Length: length,
	}
	if other := m.place(made, inv.local); other.Line != f.Place.Line {
		f.Other = &other
	}
	m.watch.tell(f)
	if kind == OutOfBoundsRead {
		m.watch.outside[len(m.watch.outside)-1] = pc + 1
	}
}

func elements(n int) string {
	switch n {
	case 0:
		return "no elements"
	case 1:
		return "1 element, number 0"
	}
	return fmt.Sprintf("%d elements, so the last is %d", n, n-1)
}

func signedIndex(index uint32, k types.ScalarKind) int {
	if k == types.I32Kind {
		return int(int32(index))
	}
	return int(index)
}

// limitAt is how many parts there are of what the instruction indexes.
func (m *machine) limitAt(inv *invocation, pc uint32) int {
	switch in := m.code[pc]; in.op {
	case opIndex:
		return int(in.c)
	case opIndexDyn:
		return int(inv.slots[in.c])
	case opIndexBig:
		return int(m.bigIndexes[in.c].limit)
	default:
		return int(m.runs[in.c].length)
	}
}

// baseText is what stands before the brackets.
func (m *machine) baseText(n note) string {
	if n.index.Start <= n.span.Start {
		return m.text(n.span)
	}
	text := m.text(syntax.Span{Start: n.span.Start, End: n.index.Start})
	return strings.TrimSpace(strings.TrimSuffix(text, "["))
}

// rootName is the first name in an expression.
func rootName(text string) string {
	text = strings.TrimLeft(text, "(&* ")
	end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(".[()", r) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// divergent tells that a barrier is not reached by all.
func (w *watcher) divergent(m *machine) {
	type crowd struct {
		pc    uint32
		first uint32
		size  int
		ended bool
	}
	var crowds []*crowd
	at := map[[2]uint32]*crowd{}
	for _, inv := range m.invs {
		key := [2]uint32{inv.pc, uint32(inv.state)}
		if at[key] == nil {
			at[key] = &crowd{pc: inv.pc - 1, first: inv.local, ended: inv.state == ended}
			crowds = append(crowds, at[key])
		}
		at[key].size++
	}
	var waits, others []string
	var places []shader.Place
	for _, ended := range []bool{false, true} {
		for _, c := range crowds {
			if c.ended != ended {
				continue
			}
			p := m.place(c.pc, c.first)
			places = append(places, p)
			who := fmt.Sprintf("%d of %d (the first is %s)", c.size, len(m.invs), m.who(c.first))
			if c.size == 1 {
				who = "invocation " + m.who(c.first)
			}
			if ended {
				others = append(others, fmt.Sprintf("%s returned on line %d", who, p.EndLine))
			} else {
				waits = append(waits, fmt.Sprintf("%s %s at the barrier on line %d", who, plural(c.size, "waits", "wait"), p.Line))
			}
		}
	}
	if !w.once(DivergentBarrier, crowds[0].pc, crowds[len(crowds)-1].pc) {
		return
	}
	f := shader.Finding{
		Kind: DivergentBarrier, Severity: shader.SeverityError, Place: places[0], Index: -1, Length: -1,
		Message: fmt.Sprintf("in workgroup %s: %s; all invocations of a workgroup must come to the same barrier, or they wait for ever",
			m.which(m.group), strings.Join(append(waits, others...), "; ")),
	}
	if len(places) > 1 {
		f.Other = &places[1]
	}
	w.tell(f)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// formatBits is what 32 bits are as a number of a kind.
func formatBits(bits uint32, k types.ScalarKind) string {
	switch k {
	case types.I32Kind:
		return strconv.Itoa(int(int32(bits)))
	case types.F32Kind, types.F16Kind:
		return formatFloat(bits)
	case types.BoolKind:
		return strconv.FormatBool(bits != 0)
	}
	return strconv.FormatUint(uint64(bits), 10)
}

func formatFloat(bits uint32) string {
	f := f64(bits)
	switch {
	case f != f:
		return "NaN"
	case math.IsInf(f, 1):
		return "infinity"
	case math.IsInf(f, -1):
		return "-infinity"
	}
	return strconv.FormatFloat(f, 'g', -1, 32)
}

func (m *machine) wrapped(inv *invocation, pc uint32, sign string, x, y, result uint32) {
	if m.watch.wrapped {
		return
	}
	m.watch.wrapped = !m.watch.muted
	if !m.watch.once(Wrapped, 0, 0) {
		return
	}
	n := m.notes[pc]
	m.watch.tell(m.remark(Wrapped, pc, inv.local, "`%s`: %s %s %s became %s, as %s wraps around (%s)", m.text(n.span),
		formatBits(x, n.kind), sign, formatBits(y, n.kind), formatBits(result, n.kind), kindName(n.kind), m.invocationOf(inv.local)))
}

func kindName(k types.ScalarKind) string { return (&types.Scalar{Kind: k}).String() }

func (m *machine) dividedByZero(inv *invocation, pc uint32, sign string, x, result uint32) {
	if !m.watch.once(DivisionByZero, 0, 0) {
		return
	}
	n := m.notes[pc]
	m.watch.tell(m.remark(DivisionByZero, pc, inv.local, "`%s`: %s %s 0 became %s, as WGSL wants it of whole numbers (%s)", m.text(n.span),
		formatBits(x, n.kind), sign, formatBits(result, n.kind), m.invocationOf(inv.local)))
}

// notFinite tells where infinity or NaN is born: of operands that were neither, or infinity.
func (m *machine) notFinite(inv *invocation, pc uint32, name string, result uint32, operands ...uint32) {
	n := m.notes[pc]
	kind := Overflow
	if notANumber(result) {
		kind = NotANumber
	}
	if isFloat(n.kind) && name != "bitcast" {
		for _, o := range operands {
			if notANumber(o) || kind == Overflow && !finite(o) {
				return
			}
		}
	}
	if name == "/" && kind == Overflow && operands[1]&^(1<<31) == 0 {
		kind = DivisionByZero
	}
	if !m.watch.once(kind, 0, 0) {
		return
	}
	list := make([]string, len(operands))
	for i, o := range operands {
		list[i] = formatBits(o, n.kind)
	}
	what := fmt.Sprintf("%s(%s)", name, strings.Join(list, ", "))
	if len(operands) == 2 && len(name) == 1 {
		what = strings.Join([]string{list[0], name, list[1]}, " ")
	}
	m.watch.tell(m.remark(kind, pc, inv.local, "`%s`: %s became %s (%s)", m.text(n.span), what, formatFloat(result), m.invocationOf(inv.local)))
}

// foundNotFinite tells that memory held infinity or NaN when it was read.
func (m *machine) foundNotFinite(inv *invocation, pc, address, value uint32) {
	kind := Overflow
	if notANumber(value) {
		kind = NotANumber
	}
	if !m.watch.once(kind, 0, 0) {
		return
	}
	where := m.bufferSpot(address)
	f := m.remark(kind, pc, inv.local, "%s reads `%s`, which is %s", m.invocationOf(inv.local), where.text, formatFloat(value))
	f.Variable, f.Index, f.Length = where.variable, where.index, where.length
	m.watch.tell(f)
}

// foundSubnormal tells that memory held a float so small that an implementation may take it for zero (§ 15.7.2); it is
// hardly ever meant as a float.
func (m *machine) foundSubnormal(inv *invocation, pc, address, value uint32) {
	if !m.watch.once(Subnormal, 0, 0) {
		return
	}
	where := m.bufferSpot(address)
	f := m.remark(Subnormal, pc, inv.local, "%s reads `%s`, which as a float is %s, so small (subnormal) that a GPU may take it for 0; an integer's bits are such a number",
		m.invocationOf(inv.local), where.text, formatFloat(value))
	f.Variable, f.Index, f.Length = where.variable, where.index, where.length
	m.watch.tell(f)
}
