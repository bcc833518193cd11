package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The messages of findings, in the learner's words.

func (m *machine) place(pc, local uint32) findings.Location {
	return m.placeIn(m.Notes[pc].Span, m.group, local)
}

func (m *machine) placeIn(s syntax.Span, group [3]uint32, local uint32) findings.Location {
	return findings.Location{Span: s, Region: m.Source.Region(s), Workgroup: group, Invocation: m.idOf(local)}
}

func (m *machine) idOf(local uint32) [3]uint32 {
	size := m.Pipeline.WorkgroupSize
	return [3]uint32{local % size[0], local / size[0] % size[1], local / size[0] / size[1]}
}

// name3 formats an id for people: as one number if only x matters.
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

// bufferSpot names a byte of the buffers.
func (m *machine) bufferSpot(address uint32) ir.NamedWord {
	for i, b := range m.Bindings {
		if r := m.regions[i]; r.base <= address && address-r.base < r.size {
			if b.Texture != nil {
				return m.texelSpot(i, (address-r.base)>>2)
			}
			return m.Spot(b.Object, address-r.base, true, int(r.size))
		}
	}
	return ir.NamedWord{Index: -1, Length: -1, Kind: types.U32Kind}
}

// race reports two accesses in one workgroup. Word counts cells.
//
// Two kinds of race are only remarks, because no GPU is known to show them. In one, two invocations
// write the same value. In the other, a write follows a read, and only the other memory's barrier,
// which still holds the writer back, is between them.
func (w *watcher) race(m *machine, kind findings.Kind, word uint32, before, now stamp, how raceWay) {
	heldBack := how.readsFirst() && before.aside != now.aside
	harmless := heldBack || how == sameWritten
	if kind == findings.RaceStorage && !harmless {
		*w.raced.at(word) = true
	}
	met := within
	if heldBack {
		met = withinBeside
	}
	if !w.meets(before, now, how, met) {
		return
	}
	told := kind
	if harmless {
		told += " remarked"
	}
	if w.toldOf(told+across, before.pc, now.pc) || !w.once(told, before.pc, now.pc) {
		return
	}
	where := m.raceSpot(kind, word)
	barrier, other, start := "workgroupBarrier()", "storageBarrier()", w.sharedStart
	if kind == findings.RaceStorage {
		barrier, other, start = other, barrier, w.bufferStart
		if word >= w.texels {
			barrier, start = "textureBarrier()", w.textureStart
		}
	}
	first, second := m.place(before.pc, before.who), m.place(now.pc, now.who)
	advice := fmt.Sprintf("there is no `%s` between them", barrier)
	switch {
	case heldBack:
		advice = fmt.Sprintf("between them is only a `%s`, but this memory needs a `%s`", other, barrier)
	case how == sameWritten:
		advice = "the value is the same, so nothing breaks here, but WGSL does not guarantee that"
	case how == writeBeside:
		advice = wholeVector + ", so let one invocation write all of it"
	case how.beside():
		advice = wholeVector + ", and " + advice
	case (before.pc < start) != (now.pc < start) && m.inLoop(before.pc, now.pc): // one of them reached it in a later round
		advice = fmt.Sprintf("there is no `%s` between one round of the loop and the next", barrier)
	case (before.pc < start) != (now.pc < start):
		advice = fmt.Sprintf("there is no `%s` between one call of the function and the next", barrier)
	case before.pc == now.pc:
		advice = "either value may be the one that stays"
	}
	f := raceFinding(kind, where, first, second, how, harmless, fmt.Sprintf("in workgroup %s, %s; %s",
		m.which(m.group), sides("invocation "+m.who(before.who), "invocation "+m.who(now.who), where, first, second, how), advice))
	if read, write := before.pc, now.pc; f.Reads {
		if !how.readsFirst() {
			read, write = write, read
		}
		f.Overwrites = isEarlier(read, write, start)
		f.NextRound = f.Overwrites != (read < write)
		f.OfCalls = !m.inLoop(read, write)
	}
	m.tellLost(&f, where, how)
	w.tell(f)
}

// inLoop reports whether a loop goes round two instructions.
func (m *machine) inLoop(a, b uint32) bool {
	for pc := max(a, b); pc < uint32(len(m.Code)); pc++ {
		if in := &m.Code[pc]; in.Op == ir.OpLoop && in.C <= min(a, b) {
			return true
		}
	}
	return false
}

// isEarlier reports whether an instruction comes before another one, in a run that begins at start.
// What is before start comes in the next round of a loop.
func isEarlier(a, b, start uint32) bool {
	if (a < start) != (b < start) {
		return b < start
	}
	return a < b
}

const wholeVector = "a write to one component may rewrite the whole vector"

// across marks the kind of a finding about two workgroups.
const across = " across"

// raceAcross reports accesses by two workgroups. If the same instructions race within a workgroup,
// this takes that finding's place: its barrier would not help.
func (w *watcher) raceAcross(m *machine, cell uint32, before, now stamp, how raceWay) {
	if how != sameWritten {
		*w.raced.at(cell) = true
	}
	if !w.meets(before, now, how, beyond) {
		return
	}
	told := findings.RaceStorage
	if how == sameWritten {
		told += " remarked"
	}
	noBarrier := how == writeAfterWrite && before.pc == now.pc || how == sameWritten // the finding within a workgroup names none
	if noBarrier && w.toldOf(told, before.pc, now.pc) || !w.once(told+across, before.pc, now.pc) {
		return
	}
	where := m.raceSpot(findings.RaceStorage, cell)
	first, second := m.placeAcross(before), m.placeAcross(now)
	advice := "nothing orders two workgroups of one dispatch, not even a barrier"
	switch {
	case how == sameWritten:
		advice = "the value is the same, so nothing breaks here, but WGSL does not guarantee that"
	case how.beside():
		advice = wholeVector + ", and " + advice
	}
	f := raceFinding(findings.RaceStorage, where, first, second, how, how == sameWritten, sides(m.whoAcross(before), m.whoAcross(now), where, first, second, how)+"; "+advice)
	if f.Reads {
		f.Hint = "Write the results to another buffer, so that the old values stay, or read only your own element."
	}
	m.tellLost(&f, where, how)
	if i := slices.IndexFunc(w.findings, func(other findings.Finding) bool { return sameRace(f, other) }); i >= 0 {
		w.findings[i] = f
	} else {
		w.tell(f)
	}
}

// sameRace reports whether two races are between the same two places in the text.
func sameRace(a, b findings.Finding) bool {
	if a.Kind != b.Kind || a.Severity != b.Severity {
		return false
	}
	return a.Span == b.Span && a.Other().Span == b.Other().Span || a.Span == b.Other().Span && a.Other().Span == b.Span
}

// placeAcross and whoAcross say where and by whom a stamp of a history was made.
func (m *machine) placeAcross(s stamp) findings.Location {
	return m.placeIn(m.Notes[s.pc].Span, m.groupID(s.phase-1), s.who)
}

func (m *machine) whoAcross(s stamp) string {
	return fmt.Sprintf("invocation %s of workgroup %s", m.who(s.who), m.which(m.groupID(s.phase-1)))
}

func (m *machine) groupID(number uint32) [3]uint32 {
	n := m.count
	return [3]uint32{number % n[0], number / n[0] % n[1], number / n[0] / n[1]}
}

func (m *machine) raceSpot(kind findings.Kind, cell uint32) ir.NamedWord {
	if kind == findings.RaceWorkgroup {
		return m.SharedSpot(cell)
	}
	return m.bufferSpot(cell << (2 - halfShift(m.Program)))
}

// sides says what two invocations do with a spot, and where.
func sides(a, b string, where ir.NamedWord, first, second findings.Location, how raceWay) string {
	written := "it"
	if how.beside() {
		written = "another component of this vector"
	}
	verb := "writes"
	switch {
	case how == writeBeside:
		a, b, first, second = b, a, second, first
	case how.readsFirst(): // name the reader first
		verb = "reads"
	case how.reads():
		verb, a, b, first, second = "reads", b, a, second, first
	case first.SameLine(second.Region):
		return fmt.Sprintf("%s and %s both write `%s` on %s", a, b, where.Text, first.LineName())
	}
	if first.SameLine(second.Region) {
		return fmt.Sprintf("%s %s `%s` and %s writes %s, both on %s", a, verb, where.Text, b, written, first.LineName())
	}
	return fmt.Sprintf("%s %s `%s` on %s and %s writes %s on %s", a, verb, where.Text, first.LineName(), b, written, second.LineName())
}

// raceFinding builds a finding. If one side only reads, the finding is at the reader and the writer
// is the other side.
func raceFinding(kind findings.Kind, where ir.NamedWord, first, second findings.Location, how raceWay, harmless bool, message string) findings.Finding {
	if how.readsFirst() {
		first, second = second, first
	}
	f := findings.Finding{
		Kind: kind, Severity: findings.Error, Message: message, Location: second, Related: []findings.Related{{Location: first}},
		Variable: where.Variable, Index: where.Index, Length: where.Length, Reads: how.reads(), Parts: how == writeBeside,
	}
	if harmless {
		f.Severity = findings.Remark
	}
	return f
}

// remark builds a finding without a variable.
func (m *machine) remark(kind findings.Kind, pc, local uint32, format string, args ...any) findings.Finding {
	return findings.Finding{
		Kind: kind, Severity: findings.Remark, Location: m.place(pc, local),
		Message: fmt.Sprintf(format, args...),
	}
}

func (w *watcher) unwritten(m *machine, inv *invocation, pc, word uint32) {
	if !w.once(findings.UnwrittenRead, pc, pc) {
		return
	}
	where := m.SharedSpot(word)
	f := m.remark(findings.UnwrittenRead, pc, inv.local, "%s reads `%s`, which no invocation of its workgroup has written, so it is 0",
		m.invocationOf(inv.local), where.Text)
	f.Variable, f.Index, f.Length = where.Variable, where.Index, where.Length
	w.tell(f)
}

func (m *machine) reportOutsideRead(inv *invocation, pc, address uint32) {
	m.reportOutside(inv, findings.OutOfBoundsRead, pc, address)
}

func (m *machine) reportOutsideWrite(inv *invocation, pc, address uint32) {
	m.reportOutside(inv, findings.OutOfBoundsWrite, pc, address)
}

// accessOf returns the first instruction of the access that an instruction is a part of: that of a
// struct takes several.
func (m *machine) accessOf(pc uint32) uint32 {
	for pc > 0 && m.Notes[pc-1].Span == m.Notes[pc].Span && m.Program.Code[pc-1].Op.Info().Access == m.Program.Code[pc].Op.Info().Access {
		pc--
	}
	return pc
}

// reportOutside reports an access through an address that comes from an index out of bounds.
func (m *machine) reportOutside(inv *invocation, kind findings.Kind, pc, address uint32) {
	if m.watch == nil {
		return
	}
	made := m.maker(address)
	if m.Code[made].Op == ir.OpTexel {
		m.reportOutsideTexel(inv, kind, pc, made)
		return
	}
	if kind == findings.OutOfBoundsWrite {
		toBuffer := m.code[pc].ToBuffer()
		if m.watch.trial && !toBuffer {
			return
		}
		m.watch.writer(inv.local)
		if toBuffer {
			m.watch.storeOutside(pc, m.badAt[made])
		}
	}
	if !m.watch.once(kind, m.accessOf(pc), made) {
		return
	}
	n := m.Notes[made]
	index, length := m.badAt[made], m.limitAt(inv, made)
	base := m.baseText(n)
	verb, effect := "reads", "here it reads 0, but a GPU may read another element"
	if kind == findings.OutOfBoundsWrite {
		verb, effect = "writes", "here the write is dropped, but a GPU may change another element"
	}
	if m.watch.trial {
		verb, effect = "may write", "it does so if its out-of-bounds read gives another element instead of 0, as on some GPUs"
	}
	number := ir.FormatBits(index, n.Kind)
	text := fmt.Sprintf("%s %s `%s[%s]`, but `%s` has %s", m.invocationOf(inv.local), verb, base, number, base, elements(base, length))
	if n.View > 0 {
		if m.WatchedCode[pc].Op.Info().Memory == ir.InShared {
			index *= 4
		}
		base, number = m.Text(n.Span), ir.FormatBits(index, n.Kind)
		text = fmt.Sprintf("%s %s through `%s`, but no view of %d bytes fits in the buffer at byte %s", m.invocationOf(inv.local), verb, base, n.View, number)
		length = -1
	}
	if source := m.Text(n.Index); source != number {
		text += fmt.Sprintf("; `%s` is %s", source, number)
	}
	f := findings.Finding{
		Kind: kind, Severity: findings.Error, Message: text + "; " + effect, Location: m.place(pc, inv.local),
		Variable: rootName(base), Index: signedIndex(index, n.Kind), Length: length,
		May: m.watch.trial,
	}
	if other := m.place(made, inv.local); !other.SameLine(f.Region) {
		f.Related = []findings.Related{{Location: other}}
	}
	m.watch.tell(f)
	if kind == findings.OutOfBoundsRead {
		m.watch.outside[len(m.watch.outside)-1] = pc + 1
	}
}

func elements(base string, n int) string {
	switch n {
	case 0:
		return "no elements"
	case 1:
		return fmt.Sprintf("only one element, `%s[0]`", base)
	}
	return fmt.Sprintf("%d elements, so the last is `%s[%d]`", n, base, n-1)
}

func signedIndex(index uint32, k types.ScalarKind) int {
	if k == types.I32Kind {
		return int(int32(index))
	}
	return int(index)
}

// limitAt returns the number of parts of the value that the instruction indexes.
func (m *machine) limitAt(inv *invocation, pc uint32) int {
	switch in := m.Code[pc]; in.Op { // a companion's code may hold only one instruction
	case ir.OpIndex:
		return int(in.C)
	case ir.OpIndexUpTo:
		return int(inv.slots[in.C])
	case ir.OpIndexBig:
		return int(m.BigIndexes[in.C].Limit)
	default:
		return int(m.runs[in.C].length)
	}
}

// baseText returns the text before the brackets.
func (m *machine) baseText(n ir.SourceNote) string {
	if n.Index.Start <= n.Span.Start {
		return m.Text(n.Span)
	}
	text := m.Text(syntax.Span{Start: n.Span.Start, End: n.Index.Start})
	return strings.TrimSpace(strings.TrimSuffix(text, "["))
}

// rootName returns the first name in an expression.
func rootName(text string) string {
	text = strings.TrimLeft(text, "(&* ")
	end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(".[()", r) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// A crowd is the invocations of a workgroup that stopped at one instruction.
type crowd struct {
	pc    uint32
	first uint32
	size  int
	ended bool
}

func (m *machine) crowds() []*crowd {
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
	slices.SortStableFunc(crowds, func(a, b *crowd) int { return int(ir.Truth(a.ended)) - int(ir.Truth(b.ended)) })
	return crowds
}

// counted says how many invocations a crowd has, or which one it is.
func (m *machine) counted(c *crowd) string {
	if c.size == 1 {
		return "invocation " + m.who(c.first)
	}
	return fmt.Sprintf("%d of %d invocations", c.size, len(m.invs))
}

// divergent reports a barrier that some invocations do not reach.
func (w *watcher) divergent(m *machine) {
	crowds := m.crowds()
	first, last := crowds[0], crowds[len(crowds)-1]
	if !w.once(findings.DivergentBarrier, first.pc, last.pc) {
		return
	}
	f := findings.Finding{Kind: findings.DivergentBarrier, Severity: findings.Error, Location: m.place(first.pc, first.first)}
	var all []string
	for _, c := range crowds {
		place := m.place(c.pc, c.first)
		text := fmt.Sprintf("%s %s at the barrier on %s", m.counted(c), english.Form(c.size, "waits", "wait"), place.LineName())
		switch {
		case c.ended && strings.HasPrefix(m.Text(m.Notes[c.pc].Span), "return"):
			text = fmt.Sprintf("%s returned on line %d", m.counted(c), place.EndLine)
		case c.ended:
			text = fmt.Sprintf("%s %s it", m.counted(c), english.Form(c.size, "skips", "skip"))
		}
		if all = append(all, text); len(all) == 2 {
			f.Related = []findings.Related{{Location: place}}
		}
	}
	f.Message = fmt.Sprintf("in workgroup %s, %s; all invocations of a workgroup must reach the same barrier, or some wait forever",
		m.which(m.group), strings.Join(all, ", and "))
	if m.leavesBefore(last, first) {
		f.Hint = "Keep them from writing, not from waiting."
		if len(crowds) == 2 {
			f.Message = fmt.Sprintf("%s lets %s leave, but at the barrier on %s, all of workgroup %s must meet",
				f.Other().LineName(), m.counted(last), f.LineName(), m.which(m.group))
		}
	}
	w.tell(f)
}

// leavesBefore reports whether a crowd returned, in the text, before the barrier at which another
// waits. The end of the function does not count: the way there led around the barrier.
func (m *machine) leavesBefore(gone, waiting *crowd) bool {
	at, barrier := m.Notes[gone.pc].Span, m.Notes[waiting.pc].Span
	return gone.ended && strings.HasPrefix(m.Text(at), "return") && at.Start < barrier.Start
}

// reportWrap reports the first integer that wraps around.
func (m *machine) reportWrap(inv *invocation, pc uint32, sign string, x, y, result uint32) {
	if m.watch.wrapTold {
		return
	}
	m.watch.wrapTold = !m.watch.muted
	if !m.watch.once(findings.Wrapped, 0, 0) {
		return
	}
	n := m.Notes[pc]
	m.watch.tell(m.remark(findings.Wrapped, pc, inv.local, "`%s`: %s %s %s became %s, because %s wraps around (%s)", m.Text(n.Span),
		ir.FormatBits(x, n.Kind), sign, ir.FormatBits(y, n.Kind), ir.FormatBits(result, n.Kind), kindName(n.Kind), m.invocationOf(inv.local)))
}

func kindName(k types.ScalarKind) string { return (&types.Scalar{Kind: k}).String() }

func (m *machine) reportDivisionByZero(inv *invocation, pc uint32, sign string, x, result uint32) {
	if !m.watch.once(findings.DivisionByZero, 0, 0) {
		return
	}
	n := m.Notes[pc]
	m.watch.tell(m.remark(findings.DivisionByZero, pc, inv.local, "`%s`: %s %s 0 became %s, as WGSL defines it for integers (%s)", m.Text(n.Span),
		ir.FormatBits(x, n.Kind), sign, ir.FormatBits(result, n.Kind), m.invocationOf(inv.local)))
}

// reportNotFinite reports the operation that produced infinity from finite operands, or NaN from
// operands that were not NaN.
func (m *machine) reportNotFinite(inv *invocation, pc uint32, name string, result uint32, operands ...uint32) {
	n := m.Notes[pc]
	kind := findings.Overflow
	if ir.NotANumber(result) {
		kind = findings.NotANumber
	}
	if ir.IsFloat(n.Kind) && name != "bitcast" {
		for _, o := range operands {
			if ir.NotANumber(o) || kind == findings.Overflow && !ir.Finite(o) {
				return
			}
		}
	}
	if name == "/" && kind == findings.Overflow && operands[1]&^(1<<31) == 0 {
		kind = findings.DivisionByZero
	}
	if !m.watch.once(kind, 0, 0) {
		return
	}
	list := make([]string, len(operands))
	for i, o := range operands {
		list[i] = ir.FormatBits(o, n.Kind)
	}
	what := fmt.Sprintf("%s(%s)", name, strings.Join(list, ", "))
	if len(operands) == 2 && len(name) == 1 {
		what = strings.Join([]string{list[0], name, list[1]}, " ")
	}
	m.watch.tell(m.remark(kind, pc, inv.local, "`%s`: %s became %s (%s)", m.Text(n.Span), what, ir.FormatFloat(result), m.invocationOf(inv.local)))
}

// reportBeyondF16 reports a call of quantizeToF16 whose result is indeterminate.
func (m *machine) reportBeyondF16(inv *invocation, pc, x uint32) {
	if !m.watch.once(findings.Overflow, 0, 0) {
		return
	}
	m.watch.tell(m.remark(findings.Overflow, pc, inv.local, "`%s`: %s(%s): f16 holds at most %d, so WGSL leaves the result open (%s)",
		m.Text(m.Notes[pc].Span), ir.Quantize, ir.FormatFloat(x), numeric.LargestF16, m.invocationOf(inv.local)))
}

// reportNotFiniteInMemory reports a read of infinity or NaN from memory.
func (m *machine) reportNotFiniteInMemory(inv *invocation, pc, address, value uint32) {
	kind := findings.Overflow
	if ir.NotANumber(value) {
		kind = findings.NotANumber
	}
	if !m.watch.once(kind, 0, 0) {
		return
	}
	where := m.bufferSpot(address)
	f := m.remark(kind, pc, inv.local, "%s reads `%s`, which is %s", m.invocationOf(inv.local), where.Text, ir.FormatFloat(value))
	f.Variable, f.Index, f.Length = where.Variable, where.Index, where.Length
	m.watch.tell(f)
}

// reportSubnormal reports a read of a float so small that an implementation may flush it to zero
// (§ 15.7.2). Such bits are hardly ever meant as a float.
func (m *machine) reportSubnormal(inv *invocation, pc, address, value uint32) {
	if !m.watch.once(findings.Subnormal, 0, 0) {
		return
	}
	where := m.bufferSpot(address)
	f := m.remark(findings.Subnormal, pc, inv.local, "%s reads `%s`, which as a float is %s: so small (subnormal) that a GPU may treat it as 0; an integer's bits look like that",
		m.invocationOf(inv.local), where.Text, ir.FormatFloat(value))
	f.Variable, f.Index, f.Length = where.Variable, where.Index, where.Length
	m.watch.tell(f)
}
