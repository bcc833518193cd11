package sim

import (
	"maps"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// An outsideRead is what a read out of bounds gives. WGSL allows 0 and any element (§ 14.6.2). A
// run gives 0; its trials give other numbers, to see what depends on such a read. They need not
// clamp writes as well, because a write out of bounds is always a mistake.
type outsideRead uint8

const (
	readsZero outsideRead = iota
	readsNegative
	readsPositive
	readsNaN  // for floats; as readsPositive for whole numbers
	readsLast // as on a device that clamps the index
)

// trials are what the trials give. A condition that none of them changes counts as independent of
// the read.
var trials = [...]outsideRead{readsNegative, readsPositive, readsNaN, readsLast}

// The numbers that reads out of bounds give: large as a float and as a whole number.
const (
	largeNumber = 0x4b1deca5
	sign32      = 1 << 31
	someNaN     = 0x7fc00000
)

func (r outsideRead) bits(float bool) uint32 {
	switch {
	case r == readsZero:
		return 0
	case r == readsNegative:
		return largeNumber | sign32
	case r == readsNaN && float:
		return someNaN
	}
	return largeNumber
}

// outsideReads are what reads out of bounds give: there for the read at one instruction, elsewhere
// for all others. The zero value is a normal run. read is the instruction's index, counted from 1;
// 0 means none.
type outsideReads struct {
	read             uint32
	there, elsewhere outsideRead
}

func (r outsideReads) at(pc uint32) outsideRead {
	if pc+1 == r.read {
		return r.there
	}
	return r.elsewhere
}

// clamp reports whether the machine needs to know where an address would be with a clamped index.
func (r outsideReads) clamp() bool { return r.there == readsLast || r.elsewhere == readsLast }

// A lostAddress comes from an index out of bounds: the instruction that made it, and where it would
// be with the index clamped. That is noAddress if the array has no elements.
type lostAddress struct{ made, clamped uint32 }

// bad notes an index out of bounds and returns an invalid address. That alone is not an error;
// using the address is.
func (m *machine) bad(inv *invocation, pc, index uint32) uint32 {
	if m.badAt != nil {
		m.badAt[pc] = index
	} else if m.evaluated != nil && (m.evaluated.outside == nil || pc >= m.evaluated.at) {
		at := index // the parameter itself would escape, and cost an allocation at every call
		m.evaluated.at, m.evaluated.outside = pc, &at
	}
	if !m.reads.clamp() {
		return ir.NoAddress | pc
	}
	return m.lose(lostAddress{pc, m.last(inv, pc)})
}

func (m *machine) lose(a lostAddress) uint32 {
	m.lost = append(m.lost, a)
	return ir.NoAddress | uint32(len(m.lost)-1)
}

// last returns the address of the last part of the value that the instruction indexes.
func (m *machine) last(inv *invocation, pc uint32) uint32 {
	if in := &m.code[pc]; in.Op == ir.OpTexel {
		return m.lastTexel(inv, in)
	}
	n := uint32(m.limitAt(inv, pc))
	if n == 0 {
		return ir.NoAddress
	}
	switch in := m.code[pc]; in.Op {
	case ir.OpIndex, ir.OpIndexUpTo:
		return (n - 1) * uint32(in.N)
	case ir.OpIndexBig:
		return (n - 1) * m.BigIndexes[in.C].Stride
	default:
		return m.runs[in.C].base + (n-1)*m.runs[in.C].stride
	}
}

// farther adds to an invalid address.
func (m *machine) farther(address, by uint32) uint32 {
	if !m.reads.clamp() {
		return address
	}
	from := m.lost[address&^ir.NoAddress]
	if by >= ir.NoAddress {
		by = m.lost[by&^ir.NoAddress].clamped
	}
	return m.lose(lostAddress{from.made, min(from.clamped+by, ir.NoAddress)})
}

// maker returns the instruction that made an invalid address.
func (m *machine) maker(address uint32) uint32 {
	if m.reads.clamp() {
		return m.lost[address&^ir.NoAddress].made
	}
	return address &^ ir.NoAddress
}

// nothing sets the result of a read out of bounds.
func (m *machine) nothing(inv *invocation, pc, address uint32) {
	in := &m.code[pc]
	to := inv.slots[in.A:][:in.Reads()]
	gives := m.reads.at(pc)
	if gives == readsLast && m.nearest(inv, in, to, m.lost[address&^ir.NoAddress].clamped) {
		return
	}
	for i := range to {
		to[i] = gives.bits(m.Notes[pc].Float)
	}
}

// nearest loads what a load would with a clamped index.
func (m *machine) nearest(inv *invocation, in *ir.Instr, to []uint32, address uint32) bool {
	memory := in.Memory()
	if in.Op.Info().Operands.C == ir.OperandNumber {
		address += in.C
	}
	if in.Op == ir.OpLoadHalf && address>>2 < uint32(len(m.buffers)) {
		to[0] = m.loadHalf(address)
		return true
	}
	words := m.words(memory, inv)
	if memory == ir.InBuffers {
		address >>= 2
	}
	if uint64(address)+uint64(len(to)) > uint64(len(words)) {
		return false
	}
	copy(to, words[address:])
	return true
}

// An ending is how a run ends: the buffers, and a sum over everything that was stored in them.
type ending struct {
	words    []uint32
	stored   uint64
	finished bool
}

func (e *ending) same(as *ending) bool {
	return e.finished && as.finished && e.stored == as.stored && slices.Equal(e.words, as.words)
}

// farMore is how many times the steps of a run its trials may take.
const farMore = 4

// excuse turns reads out of bounds into remarks if nothing depends on them. Whatever they give,
// alone and together, the run must store the same values in the same places. Otherwise it keeps
// what the trials did beyond the run itself.
func (d *dispatch) excuse(steps uint64) error {
	if !slices.ContainsFunc(d.watch.outside, func(read uint32) bool { return read != 0 }) {
		return nil
	}
	before := make([]uint32, d.host.size)
	d.host.copyTo(before)                            // the host's buffers are as they were
	steps = min(steps, farMore*d.steps.Load()+slice) // a trial that takes far more has gone another way
	try := boundsTrial{dispatch: d, code: d.codeForTrials(), before: before, steps: steps, zeros: ending{d.host.words, d.watch.stored, true}}
	alike := true
	for _, gives := range trials {
		e, w, err := try.run(outsideReads{elsewhere: gives})
		if err != nil {
			return err
		}
		if try.tried = append(try.tried, gives); gives == readsPositive {
			try.high = e
		}
		if !e.same(&try.zeros) {
			alike = false
			d.watch.learn(w)
			d.depends(e.words)
		}
		if try.high != nil && d.watch.count[findings.OutOfBoundsWrite] > 0 {
			try.tried = try.tried[:1] // a mistake is found, so coarse trials do
			break
		}
	}
	if alike {
		d.watch.remarkOutside(func(uint32) bool { return true })
		return nil
	}
	return try.excuseSome()
}

// excuseSome excuses only those reads on which nothing depends. If the trials differ, but no single
// read explains it, it excuses none.
func (t *boundsTrial) excuseSome() error {
	if t.watch.count[findings.OutOfBoundsRead] == 1 {
		return nil
	}
	matters, found := map[uint32]bool{}, false
	for _, read := range t.watch.outside {
		if read == 0 {
			continue
		}
		yes, err := t.matters(read)
		if err != nil {
			return err
		}
		matters[read], found = yes, found || yes
	}
	if found {
		t.watch.remarkOutside(func(read uint32) bool { return !matters[read] })
	}
	return nil
}

// remarkOutside turns findings of reads out of bounds into remarks.
func (w *watcher) remarkOutside(which func(read uint32) bool) {
	for i, read := range w.outside {
		if read != 0 && which(read) {
			w.findings[i].Severity = findings.Remark
			w.findings[i].Message += "; the result does not depend on what it reads"
		}
	}
}

// depends notes the words that ended otherwise in a trial.
func (d *dispatch) depends(words []uint32) {
	if d.doubtful == nil {
		d.doubtful = map[uint32]bool{}
	}
	for i := range d.host.writable {
		if words[i] != d.host.words[i] {
			d.doubtful[i] = true
		}
	}
}

// A boundsTrial runs a dispatch again over the same buffers, with other values for reads out of
// bounds.
type boundsTrial struct {
	*dispatch
	code   []ir.Instr
	before []uint32
	steps  uint64
	zeros  ending  // of the run itself
	high   *ending // with large positive numbers
	tried  []outsideRead
}

// codeForTrials returns the program's code, with watched forms only for stores in buffers: trials
// are then almost as fast as an unwatched run.
func (p *Program) codeForTrials() []ir.Instr {
	code := slices.Clone(p.Code)
	for i := range code {
		if in := &code[i]; in.ToBuffer() && in.Op.Info().Watched != 0 {
			in.Op = in.Op.Info().Watched
		}
	}
	return code
}

// matters reports whether anything depends on the read at one instruction: alone, or together with
// the others, such as in a product of two.
func (t *boundsTrial) matters(read uint32) (bool, error) {
	for _, gives := range t.tried {
		if e, _, err := t.run(outsideReads{read: read, there: gives}); err != nil || !e.same(&t.zeros) {
			return true, err
		}
	}
	e, _, err := t.run(outsideReads{read: read, elsewhere: readsPositive})
	return err != nil || !e.same(t.high), err
}

func (t *boundsTrial) run(reads outsideReads) (*ending, *watcher, error) {
	host := *t.host
	host.words = slices.Clone(t.before)
	d := &dispatch{Program: t.Program, host: &host, workgroups: t.workgroups, groups: t.groups, limit: &meter{ctx: t.limit.ctx, efforts: t.limit.efforts}, reads: reads, trial: t.code}
	d.limit.left.Store(int64(min(t.steps, 1<<62)))
	d.watch = newWatcher(t.Program, 0, 0, t.groups)
	d.watch.trial, d.watch.told, d.watch.count = true, maps.Clone(t.watch.told), maps.Clone(t.watch.count)
	err := d.run(1)
	return &ending{host.words, d.watch.stored, !d.stopped.Load()}, d.watch, err
}

// learn takes over what a trial's watcher saw beyond the run itself: writes to buffers out of
// bounds that happen only if a read out of bounds does not give 0.
func (w *watcher) learn(from *watcher) {
	for i, wrote := range from.wrote {
		w.wrote[i] = w.wrote[i] || wrote
	}
	for _, f := range from.findings {
		w.tell(f)
	}
	w.told, w.count = from.told, from.count
}

// store counts a store in a buffer. The sum has no order: invocations may take turns otherwise.
func (w *watcher) store(address, value uint32) {
	x := (uint64(address)<<32 | uint64(value)) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	w.stored += x ^ x>>31
}

// storeOutside counts a store out of bounds, by its instruction and index. Its value does not
// count: the store itself is a mistake already.
func (w *watcher) storeOutside(pc, index uint32) { w.store(ir.NoAddress|pc, index) }
