package sim

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// A Sample is a workgroup to count, by its number in x, then y, then z, and how many workgroups of
// the dispatch it stands for.
type Sample struct {
	Workgroup uint64
	Weight    float64
}

// DispatchCounts say what a dispatch moves and computes: the counts of each sample times its
// weight.
//
// On a GPU, 32 neighbours go through the shader side by side: invocations with consecutive
// local_invocation_index. Those make an access together that have come to it equally often since
// the last barrier. If some of them don't run a line, their units of arithmetic idle meanwhile.
type DispatchCounts struct {
	Samples   []SampleCount
	Variables []VariableCount // buffers by their binding, then workgroup memory
	Accesses  []AccessCount   // in the order of the code
	Lines     []LineCount     // in order
	Barriers  []BarrierCount  // by line

	Heaviest float64 // steps of the workgroup that takes the most, relative to the mean
	Mean     Latency // of the workgroups
	Longest  Latency // of all samples
	Live     int     // values that an invocation holds at once, by an estimate

	// The line of 128 bytes of a buffer whose atomics take longest: one unit changes its sectors,
	// one after the other. Neighbours' on one sector take a cycle together, except
	// compare-exchanges.
	HotAtomics float64
	HotCycles  float64
	Atomic     bool // there are atomics on buffers
	Unreached  bool // no sample has come to some of them
}

// A Latency is the time that a workgroup takes if it runs alone, in cycles, by an estimate.
type Latency struct {
	Hits   float64 // if all loads of buffers hit the nearest cache
	Misses float64 // if they all miss it
}

// A SampleCount is what one workgroup took.
type SampleCount struct {
	Sample
	Finished bool   // false if it had too many steps, and was stopped
	Steps    uint64 // instructions of all invocations
	Sectors  uint64 // of buffers, moved by neighbours together
	Turns    uint64 // of workgroup memory

	cycles [2]uint64 // of latency: if loads hit the nearest cache, and if they miss it
}

// A VariableCount is the memory that the workgroups touch, if each of them keeps what it has
// touched once.
type VariableCount struct {
	TracedVariable
	Shared, Uniform bool    // it is in workgroup memory, or a uniform: those count no sectors
	Bytes           uint64  // of the whole variable
	Read, Written   float64 // sectors that the workgroups read and write, added up
}

// An AccessCount is one place in the source that accesses a buffer or workgroup memory.
type AccessCount struct {
	Site
	Variable int     // index of DispatchCounts.Variables
	Times    float64 // by single invocations
	Bytes    float64
	Strips   float64 // by up to 32 neighbours together

	Cycles                       float64 // of the unit that loads and stores: for each line or turn, and at least for each 128 bytes
	Lines, Sectors, LeastSectors float64 // of a buffer, by all strips; the least with the same words side by side
	Turns, LeastTurns            float64 // of the banks of workgroup memory
	Repeated                     float64 // atomics on a word that another neighbour changes at the same time
}

// A CountedLine is a line of the shader, or of another file that it was made from.
type CountedLine struct {
	File string // "" for the file that the shader begins with
	Line int
}

func countedLine(p *ir.Program, pc int) CountedLine {
	start := p.Notes[pc].Span
	start.End = start.Start
	at := p.Source.Region(start)
	return CountedLine{at.File, at.Line}
}

func (l CountedLine) compare(other CountedLine) int {
	return cmp.Or(cmp.Compare(l.File, other.File), cmp.Compare(l.Line, other.Line))
}

// A LineCount is the arithmetic of a source line.
type LineCount struct {
	CountedLine
	Done [ir.Classes]float64 // operations of single invocations
	Idle [ir.Classes]float64 // operations that neighbours do meanwhile, in which an invocation idles
	Runs float64             // by single invocations
	Gaps float64             // runs of neighbours in which an invocation idles
}

// A BarrierCount is the waiting at the barriers of a line.
type BarrierCount struct {
	CountedLine
	Times float64 // of workgroups
	Idle  float64 // the mean share of an invocation's time before it that it waits, from 0 to 1
}

// A Counter runs workgroups of a dispatch and counts what they cost.
type Counter struct {
	dispatch *dispatch
	machine  *machine
	counter  *counter
	steps    uint64
}

// Counter prepares to count workgroups of a dispatch. The buffers keep their contents. steps limits
// the instructions of each workgroup.
func (p *Program) Counter(workgroups [3]uint32, buffers []BoundBuffer, steps uint64) (*Counter, error) {
	host, err := p.upload(buffers)
	if err != nil {
		return nil, err
	}
	if err := p.fitsInMemory(); err != nil {
		return nil, err
	}
	d := &dispatch{Program: p, host: host, workgroups: workgroups}
	c := &Counter{d, newMachine(p.Program, host, workgroups), d.newCounter(), min(steps, 1<<62)}
	c.machine.beside, c.machine.code = c.counter, c.counter.code
	return c, nil
}

// Count runs a workgroup, and adds its counts times its weight to those before.
func (c *Counter) Count(ctx context.Context, s Sample) (SampleCount, error) {
	d, m := c.dispatch, c.machine
	d.limit = &meter{ctx: ctx}
	d.limit.left.Store(int64(c.steps))
	d.stopped.Store(false)
	m.granted = m.steps
	c.counter.begin(s)
	m.enter(s.Workgroup, d.workgroups)
	if err := m.refill(d); err != nil {
		return SampleCount{}, err
	}
	if err := m.runGroup(d); err != nil {
		return SampleCount{}, err
	}
	return c.counter.end(!d.stopped.Load()), nil
}

// Counts returns the counts of all samples so far.
func (c *Counter) Counts() *DispatchCounts { return c.counter.counts() }

// A counter counts beside a run. It keeps the accesses of 32 neighbours up to the next barrier, and
// folds them into counts when others come.
type counter struct {
	memoryMap
	stops
	program  *ir.Program
	classes  []ir.Arithmetic
	blocks   []counted
	blockAt  []uint32 // for each instruction, 1 + the block that is counted there
	active   []uint32 // the blocks that have run since the last barrier
	steps    []uint32 // of each invocation since the last barrier
	sites    []*site
	siteAt   []*site // for each instruction, the first
	current  uint32  // the invocation whose turns are counted
	marks    []marks // by variable
	barriers map[CountedLine]*BarrierCount
	hot      map[uint64]heat // by variable and line
	touch    ir.Footprint    // of the neighbours that are rated

	weight  float64 // of the workgroup
	sampled []SampleCount
}

// A counted block has how often it has run.
type counted struct {
	ir.BasicBlock
	length uint32
	runs   []uint32 // by invocation, since the last barrier
	done   float64  // by invocations
	slots  float64  // by invocations, and those that idle meanwhile
}

// nobody is no invocation.
const nobody = ^uint32(0)

func (d *dispatch) newCounter() *counter {
	size := d.Pipeline.WorkgroupSize
	invocations := size[0] * size[1] * size[2]
	c := &counter{
		memoryMap: d.memoryMap(), program: d.Program.Program, classes: d.Classes(), blockAt: make([]uint32, len(d.Code)),
		steps: make([]uint32, invocations), siteAt: make([]*site, len(d.Code)), current: nobody,
		barriers: map[CountedLine]*BarrierCount{}, hot: map[uint64]heat{},
	}
	for i, b := range d.Blocks() {
		c.blocks = append(c.blocks, counted{BasicBlock: b, length: b.Code.To - b.Code.From, runs: make([]uint32, invocations)})
		c.blockAt[b.Counted] = uint32(i + 1)
	}
	for i, v := range c.variables {
		m := marks{}
		if i < len(d.Bindings) && !d.Bindings[i].Uniform {
			words := (uint64(v.Elements)*uint64(v.ElementBytes)/ir.SectorBytes + 64) / 64
			m = marks{read: make([]uint64, words), written: make([]uint64, words)}
		}
		c.marks = append(c.marks, m)
	}
	c.stops = stopping(d.Code, func(pc int) bool {
		return c.blockAt[pc] > 0 || d.Code[pc].Op.Info().Shared() && !d.LoadsUniform(&d.Code[pc])
	})
	return c
}

func (c *counter) begin(s Sample) {
	c.weight = s.Weight
	c.sampled = append(c.sampled, SampleCount{Sample: s})
}

func (c *counter) end(finished bool) SampleCount {
	c.fold()
	c.leave()
	c.now().Finished = finished
	return *c.now()
}

// now returns the counts of the sample that runs.
func (c *counter) now() *SampleCount { return &c.sampled[len(c.sampled)-1] }

func (c *counter) enter() { c.current = nobody }

// stopped counts the block or the access before which the machine has stopped, and executes the
// instruction.
func (c *counter) stopped(m *machine, inv *invocation) {
	pc := inv.pc - 1
	if at := c.blockAt[pc]; at > 0 {
		b := &c.blocks[at-1]
		if b.runs[inv.local] == 0 {
			c.active = append(c.active, at-1)
		}
		b.runs[inv.local]++
	}
	in := &c.program.Code[pc]
	info := in.Op.Info()
	if info.Shared() && !c.program.LoadsUniform(in) {
		c.access(m, inv, pc, in)
		if info.Access != ir.Atomic && in.Op != ir.OpLoadHalf && in.Op != ir.OpStoreHalf {
			transfer(m, inv, in, info)
			return
		}
	}
	c.execute(m, inv, pc, *in)
}

// transfer does what a load or a store does.
func transfer(m *machine, inv *invocation, in *ir.Instr, info *ir.Instruction) {
	slots := inv.slots[in.A : in.A+uint32(in.N)]
	word, inside := m.reach(inv, in)
	switch {
	case info.Access == ir.Write && inside:
		copy(m.words(info.Memory, inv)[word:], slots)
	case info.Access == ir.Read && inside:
		copy(slots, m.words(info.Memory, inv)[word:])
	case info.Access == ir.Read:
		clear(slots)
	}
}

// A site counts the accesses of an instruction to a variable.
type site struct {
	AccessCount
	pc      uint32
	bytes   uint32
	buffer  bool
	turn    uint32 // how often the current invocation has come here since the last barrier
	kind    uint32 // of an atomic
	offsets []uint32
	next    *site // of the same instruction
}

// mostTurns is how many turns of an invocation are kept for its neighbours to join: a site then
// holds
// 32 MiB. After more, the first of them count as those of the invocations that made them so far. No
// right shader of the course comes near it, and an endless one would fill the memory.
const mostTurns = 1 << 18

// access notes the memory that the instruction is about to touch: 1 + the offset, by the turn and
// the invocation among its neighbours.
func (c *counter) access(m *machine, inv *invocation, pc uint32, in *ir.Instr) {
	a, ok := c.touched(m, inv, in)
	if !ok {
		return
	}
	if inv.local != c.current {
		c.change(inv.local)
	}
	s := c.site(pc, a.Variable, in)
	if s.turn == mostTurns {
		c.rate(s)
		s.turn = 0
	}
	at := s.turn*ir.Neighbours + inv.local%ir.Neighbours
	if s.turn*ir.Neighbours == uint32(len(s.offsets)) {
		s.offsets = append(s.offsets, make([]uint32, ir.Neighbours)...)
	}
	s.offsets[at], s.bytes = a.Offset+1, a.Bytes
	s.turn++
	c.marks[a.Variable].mark(a, s.Kind)
}

func (c *counter) site(pc, variable uint32, in *ir.Instr) *site {
	for s := c.siteAt[pc]; s != nil; s = s.next {
		if s.Variable == int(variable) {
			return s
		}
	}
	span := c.program.Notes[pc].Span
	s := &site{pc: pc, buffer: int(variable) < len(c.program.Bindings), kind: uint32(in.N) &^ ir.AtomicInBuffer, next: c.siteAt[pc]}
	s.AccessCount.Site = Site{c.program.Source.Region(span), c.program.Text(span), in.Op.Info().Access}
	s.Variable = int(variable)
	c.siteAt[pc], c.sites = s, append(c.sites, s)
	return s
}

// change begins to count the turns of another invocation.
func (c *counter) change(local uint32) {
	apart := c.current == nobody || local/ir.Neighbours != c.current/ir.Neighbours
	for _, s := range c.sites {
		if apart {
			c.rate(s)
		}
		s.turn = 0
	}
	c.current = local
}

// rate folds the accesses of neighbours into counts.
func (c *counter) rate(s *site) {
	for row := range slices.Chunk(s.offsets, ir.Neighbours) {
		c.rateStrip(s, row)
	}
	s.offsets = s.offsets[:0]
}

// rateStrip rates an access that neighbours make together.
func (c *counter) rateStrip(s *site, offsets []uint32) {
	lanes := 0
	c.touch.Clear()
	for _, o := range offsets {
		if o > 0 {
			lanes++
			c.touch.Add(o-1, s.bytes)
		}
	}
	c.touch.Sort()
	s.Times += c.weight * float64(lanes)
	s.Bytes += c.weight * float64(lanes) * float64(s.bytes)
	s.Strips += c.weight
	if s.Kind == ir.Atomic {
		s.Repeated += c.weight * float64(lanes-len(c.touch.Words))
	}
	busy := 0
	if s.buffer {
		busy = c.rateBlocks(s, lanes)
	} else {
		busy = c.rateTurns(s, offsets)
	}
	if busy > 0 {
		s.Cycles += c.weight * float64(max(busy, lanes*int(s.bytes)/ir.LineBytes))
	}
}

// rateBlocks returns the number of lines.
func (c *counter) rateBlocks(s *site, lanes int) int {
	if c.marks[s.Variable].read == nil {
		return 0 // a uniform
	}
	lines, sectors := c.touch.Blocks(ir.LineBytes), c.touch.Blocks(ir.SectorBytes)
	s.Lines += c.weight * float64(lines)
	s.Sectors += c.weight * float64(sectors)
	s.LeastSectors += c.weight * float64(c.touch.LeastBlocks(ir.SectorBytes))
	c.now().Sectors += uint64(sectors)
	if s.Kind == ir.Atomic && s.kind != ir.AtomicLoad {
		c.heat(s, lanes)
	}
	return lines
}

// A heat is the atomics on a line.
type heat struct{ times, cycles float64 }

// cyclesOfExchange are those of a compare-exchange that others compete with: it succeeds only if
// nobody has come between its load and itself, so each success takes the way to the shared cache
// twice.
const cyclesOfExchange = 2 * ir.CyclesOfMiss

// heat adds the atomics of neighbours to the lines that they change.
func (c *counter) heat(s *site, lanes int) {
	words := c.touch.Words
	alike := float64(lanes) / float64(len(words)) // neighbours on one word
	before := ^uint32(0)
	for _, w := range words {
		sector, key := w*ir.WordBytes/ir.SectorBytes, uint64(s.Variable)<<32|uint64(w*ir.WordBytes/ir.LineBytes)
		h := c.hot[key]
		h.times += alike * c.weight
		switch {
		case s.kind == ir.AtomicCompareExchange: // each neighbour's is one of its own
			h.cycles += alike * c.weight * cyclesOfExchange
		case sector != before:
			h.cycles += c.weight
		}
		c.hot[key], before = h, sector
	}
}

// atomics reports whether there are atomics on buffers, and whether no sample has come to some of
// them.
func (c *counter) atomics() (any, unreached bool) {
	for pc := range c.program.Code {
		if in := &c.program.Code[pc]; in.Op == ir.OpAtomic && in.N&ir.AtomicInBuffer != 0 {
			any, unreached = true, unreached || c.siteAt[pc] == nil
		}
	}
	return any, unreached
}

// rateTurns returns the turns of the banks. Atomics on one word take turns as well.
func (c *counter) rateTurns(s *site, offsets []uint32) int {
	turns := c.touch.Turns()
	if s.Kind == ir.Atomic {
		var banks ir.BankUse
		for _, o := range offsets {
			if o > 0 {
				banks.Use((o - 1) / ir.WordBytes)
			}
		}
		turns = banks.Turns
	}
	s.Turns += c.weight * float64(turns)
	s.LeastTurns += c.weight * float64(c.touch.LeastBlocks(ir.Banks*ir.WordBytes))
	c.now().Turns += uint64(turns)
	return turns
}

// marks are the sectors of a buffer that a workgroup has touched, and how many all have; nil for
// other variables.
type marks struct {
	read, written []uint64
	reads, writes float64
}

func (m *marks) mark(a Access, kind ir.AccessKind) {
	if m.read == nil {
		return
	}
	for sector := a.Offset / ir.SectorBytes; sector <= (a.Offset+a.Bytes-1)/ir.SectorBytes; sector++ {
		if kind != ir.Write {
			m.read[sector/64] |= 1 << (sector % 64)
		}
		if kind != ir.Read {
			m.written[sector/64] |= 1 << (sector % 64)
		}
	}
}

// taken returns the number of marks, and removes them.
func taken(marks []uint64) (n int) {
	for i, m := range marks {
		if m != 0 {
			n += bits.OnesCount64(m)
			marks[i] = 0
		}
	}
	return n
}

// leave adds what the workgroup has touched.
func (c *counter) leave() {
	for i := range c.marks {
		m := &c.marks[i]
		m.reads += c.weight * float64(taken(m.read))
		m.writes += c.weight * float64(taken(m.written))
	}
}

func (c *counter) meet(m *machine) {
	line := CountedLine{}
	for i := range m.invs {
		if inv := &m.invs[i]; inv.state == waiting {
			line = countedLine(m.Program, int(inv.pc)-1)
		}
	}
	b := c.barriers[line]
	if b == nil {
		b = &BarrierCount{CountedLine: line}
		c.barriers[line] = b
	}
	b.Times += c.weight
	b.Idle += c.weight * c.fold()
	for i := range c.now().cycles {
		c.now().cycles[i] += ir.CyclesOfBarrier
	}
}

// fold adds what the invocations have done since the last barrier. It returns the mean share of
// that time in which an invocation waits.
func (c *counter) fold() (idle float64) {
	c.change(nobody)
	cycles := make([][2]uint64, (len(c.steps)+ir.Neighbours-1)/ir.Neighbours)
	slices.Sort(c.active)
	for _, at := range slices.Compact(c.active) {
		c.blocks[at].fold(c.weight, c.steps, cycles)
	}
	c.active = c.active[:0]
	for i := range c.now().cycles {
		slowest := slices.MaxFunc(cycles, func(a, b [2]uint64) int { return cmp.Compare(a[i], b[i]) })
		c.now().cycles[i] += slowest[i]
	}
	most, total := slices.Max(c.steps), uint64(0)
	for _, s := range c.steps {
		total += uint64(s)
	}
	clear(c.steps)
	c.now().Steps += total
	return 1 - float64(total)/float64(max(1, uint64(most)*uint64(len(c.steps))))
}

// fold adds the runs of a block since the last barrier to the steps of the invocations and to the
// cycles of neighbours.
func (b *counted) fold(weight float64, steps []uint32, cycles [][2]uint64) {
	for i, first := 0, 0; first < len(b.runs); i, first = i+1, first+ir.Neighbours {
		most, total := uint32(0), uint64(0)
		runs := b.runs[first:min(first+ir.Neighbours, len(b.runs))]
		for lane, n := range runs {
			most, total = max(most, n), total+uint64(n)
			steps[first+lane] += n * b.length
		}
		b.done += weight * float64(total)
		b.slots += weight * float64(most) * ir.Neighbours
		cycles[i][0] += uint64(most) * uint64(b.Cycles[0])
		cycles[i][1] += uint64(most) * uint64(b.Cycles[1])
		clear(runs)
	}
}

// Scale makes the counts those of so many workgroups, if the samples stand for fewer.
func (c *DispatchCounts) Scale(workgroups float64) {
	weights := 0.0
	for _, s := range c.Samples {
		weights += s.Weight
	}
	by := workgroups / weights
	for i := range c.Variables {
		scale(by, &c.Variables[i].Read, &c.Variables[i].Written)
	}
	for i := range c.Accesses {
		a := &c.Accesses[i]
		scale(by, &a.Times, &a.Bytes, &a.Strips, &a.Cycles, &a.Lines, &a.Sectors, &a.LeastSectors, &a.Turns, &a.LeastTurns, &a.Repeated)
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		scale(by, &l.Runs, &l.Gaps)
		for class := range l.Done {
			scale(by, &l.Done[class], &l.Idle[class])
		}
	}
	for i := range c.Barriers {
		scale(by, &c.Barriers[i].Times)
	}
	scale(by, &c.HotAtomics, &c.HotCycles)
}

func scale(by float64, counts ...*float64) {
	for _, n := range counts {
		*n *= by
	}
}

// counts returns the result.
func (c *counter) counts() *DispatchCounts {
	out := &DispatchCounts{Samples: c.sampled, Live: c.program.Live()}
	for i, v := range c.variables {
		out.Variables = append(out.Variables, VariableCount{
			TracedVariable: v, Shared: i >= len(c.program.Bindings), Uniform: i < len(c.program.Bindings) && c.program.Bindings[i].Uniform, Bytes: uint64(v.Elements) * uint64(v.ElementBytes), Read: c.marks[i].reads, Written: c.marks[i].writes,
		})
	}
	slices.SortFunc(c.sites, func(a, b *site) int { return cmp.Or(cmp.Compare(a.pc, b.pc), cmp.Compare(a.Variable, b.Variable)) })
	for _, s := range c.sites {
		out.Accesses = append(out.Accesses, s.AccessCount)
	}
	out.Mean, out.Longest, out.Heaviest = c.latency()
	for _, h := range c.hot {
		if h.cycles > out.HotCycles || h.cycles == out.HotCycles && h.times > out.HotAtomics {
			out.HotAtomics, out.HotCycles = h.times, h.cycles
		}
	}
	out.Atomic, out.Unreached = c.atomics()
	for _, b := range c.barriers {
		b.Idle /= max(b.Times, 1)
		out.Barriers = append(out.Barriers, *b)
	}
	slices.SortFunc(out.Barriers, func(a, b BarrierCount) int { return a.compare(b.CountedLine) })
	out.Lines = c.lines()
	return out
}

func (c *counter) latency() (mean, longest Latency, heaviest float64) {
	weights, steps := 0.0, 0.0
	for _, s := range c.sampled {
		hits, misses := float64(s.cycles[0]), float64(s.cycles[1])
		mean.Hits += s.Weight * hits
		mean.Misses += s.Weight * misses
		longest.Hits, longest.Misses = max(longest.Hits, hits), max(longest.Misses, misses)
		heaviest = max(heaviest, float64(s.Steps))
		steps += s.Weight * float64(s.Steps)
		weights += s.Weight
	}
	scale(1/weights, &mean.Hits, &mean.Misses, &steps)
	return mean, longest, heaviest / max(steps, 1)
}

// lines adds up the arithmetic by line.
func (c *counter) lines() (lines []LineCount) {
	at := map[CountedLine]int{}
	for i := range c.blocks {
		b := &c.blocks[i]
		begun := map[CountedLine]bool{} // a line counts once in a block
		for pc := b.Code.From; pc < b.Code.To; pc++ {
			line := countedLine(c.program, int(pc))
			if _, known := at[line]; !known {
				at[line] = len(lines)
				lines = append(lines, LineCount{CountedLine: line})
			}
			l := &lines[at[line]]
			l.Done[c.classes[pc]] += b.done
			l.Idle[c.classes[pc]] += b.slots - b.done
			if !begun[line] {
				begun[line] = true
				l.Runs += b.done
				l.Gaps += b.slots - b.done
			}
		}
	}
	slices.SortFunc(lines, func(a, b LineCount) int { return a.compare(b.CountedLine) })
	return lines
}
