package sim

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/machine/sim/wasm"
)

// machineCode is a program's compiled code, plain and watched.
type machineCode struct{ plain, watched compiledOnce }

// A compiledOnce is made at its first use.
type compiledOnce struct {
	once sync.Once
	made atomic.Bool
	code *wasm.Code
	err  error
}

// codeOf returns what to compile for a dispatch.
func (d *dispatch) codeOf() *compiledOnce {
	if d.watch != nil {
		return &d.machineCode.watched
	}
	return &d.machineCode.plain
}

func (c *compiledOnce) of(p *ir.Program, watched, own bool) (*wasm.Code, error) {
	c.once.Do(func() {
		c.code, c.err = wasm.Compile(p, watched, own)
		c.made.Store(true)
	})
	return c.code, c.err
}

// A dispatch begins in the interpreter. It moves to compiled code once it has taken so many steps
// that compiling pays, wherever it is: at a workgroup's begin, after a barrier, or where a loop's
// round begins.
const (
	leastSteps   = 1 << 16 // for starting compiled code
	stepsPerCode = 3 << 13 // more if the program isn't compiled yet, for each of its instructions
	stepsPerCell = 8       // more if it is watched, for each cell of the records
	firstSteps   = 1 << 20 // more if none was compiled in this process
)

// compiles reports whether the dispatch may run compiled code: it needs nothing that only the
// interpreter does.
func (d *dispatch) compiles(options Options) bool {
	return options.Compile != Never && wasm.Available() && d.machineCode != nil && d.trace == nil && d.tread == nil && d.exact == nil && d.order == (Order{}) &&
		!d.Debuggable()
}

// moveAt returns the count of steps at which to move to compiled code.
func (d *dispatch) moveAt() uint64 {
	if d.when >= Always {
		return uint64(d.when - Always)
	}
	steps := leastSteps + uint64(len(d.host.words))
	if d.watch != nil {
		steps += stepsPerCell * uint64(d.watch.writers.size)
	}
	if !d.codeOf().made.Load() {
		code := uint64(len(d.Code))
		if steps += stepsPerCode * code; d.watch != nil {
			steps += stepsPerCode * code // its module is twice as large
		}
		if !wasm.Used() {
			steps += firstSteps
		}
	}
	return steps
}

// mayMove moves the dispatch to compiled code if it is time. It starts the other cores then, which
// wait until it is known what they run.
func (m *machine) mayMove() {
	if m.move == nil || m.steps < m.moveAt {
		return
	}
	move := m.move
	m.move, m.budget = nil, m.granted
	move()
}

// run lets the first core interpret until it is time to compile, and then all of them go on.
func (d *dispatch) runCompiled(cores int) error {
	errs := make([]error, cores)
	var others fence.Group
	m := d.machine(false)
	m.moveAt = d.moveAt() / uint64(cores) // the others wait for that
	m.move = func() {
		d.compile(m, cores)
		m.parallel = cores > 1
		for core := 1; core < cores; core++ {
			others.Go(func() { errs[core] = d.work(d.machineOf(core)) })
		}
	}
	defer func() {
		if d.stopCode != nil {
			d.machines[0].hold()
			d.stopCode()
		}
	}()
	func() {
		defer others.Wait()
		errs[0] = d.work(m)
	}()
	return errors.Join(errs...)
}

// compile compiles the program and moves the dispatch's arena to where compiled code finds it. If
// that can't be, the interpreter goes on.
func (d *dispatch) compile(m *machine, cores int) {
	if d.watch != nil && d.watch.writers.size > mostRecords {
		return
	}
	code, err := d.codeOf().of(d.Program.Program, d.watch != nil, d.recorded().Own)
	if err != nil || m.overlap() { // it takes uniforms for constants
		return
	}
	arena, err := code.NewArena(d.host.words, d.host.writable, cores, d.recorded())
	if err != nil {
		return
	}
	hosts := make([]wasm.Host, cores)
	d.machines = make([]*machine, cores)
	for core := range cores {
		d.machines[core] = m
		if core > 0 {
			d.machines[core] = d.machine(true)
		}
		hosts[core] = d.machines[core]
	}
	stop, err := arena.Start(hosts)
	if err != nil {
		arena.Free()
		return
	}
	d.stopCode, d.arena = stop, arena
	d.host.words = arena.Buffers
	for core, m := range d.machines {
		m.moveTo(arena.Cores[core], code)
	}
}

// spareWords returns how much room after the buffers lets compiled code run where they are.
func (d *dispatch) spareWords(cores int) int {
	if !d.compiled || d.watch != nil || d.when < Always && !d.codeOf().made.Load() {
		return 0
	}
	return wasm.SpareWords(d.Program.Program, d.host.size, cores)
}

// freeMemory frees the memory of compiled code after the run.
func (d *dispatch) freeMemory() {
	if d.arena != nil {
		d.arena.Free()
	}
}

// machineOf returns the machine for a core: the one that runs compiled code, or a new one.
func (d *dispatch) machineOf(core int) *machine {
	if d.stopCode == nil {
		return d.machine(true)
	}
	return d.machines[core]
}

// moveTo moves a machine's arena to where compiled code finds it.
func (m *machine) moveTo(core *wasm.Core, code *wasm.Code) {
	m.native, m.nativeCode, m.nativeFrom, m.holds = core, code, m.steps, core.Hold
	m.buffers = m.host.words
	copy(core.Shared, m.shared)
	m.shared = core.Shared
	width := len(m.Initial)
	for i := range m.invs {
		inv, row := &m.invs[i], core.Slots
		if m.Barriers {
			row = core.Slots[i*width : (i+1)*width : (i+1)*width]
		}
		if m.Barriers || i == 0 {
			copy(row, inv.slots)
		}
		inv.slots = row
		core.SetLane(inv.local, inv.lane, inv.subgroup)
	}
	core.SetSubgroups(m.Division.SizeIn(m.Program), uint32(len(m.subgroups)))
	arrays := make([]wasm.RuntimeArray, len(m.runs))
	for i, r := range m.runs {
		arrays[i] = wasm.RuntimeArray{Base: r.base, Length: r.length}
	}
	core.SetArrays(arrays)
	core.SetGroups(m.count)
	core.Enter(m.group, m.groupNumber)
	if m.watch != nil {
		m.watch.moveTo(m, core)
	}
}

// hold makes the machine's memory current, before the interpreter or anything else in Go uses it.
func (m *machine) hold() {
	if m.holds != nil {
		m.holds()
	}
}

// unknownEntry says that only an invocation's place tells where compiled code can go on.
const unknownEntry = -2

// entryOf returns where compiled code goes on with an invocation, or -1 if it can't.
func (m *machine) entryOf(inv *invocation) int {
	if inv.entry == unknownEntry {
		m.hold()
		inv.entry = m.nativeCode.Entry(inv.pc, inv.slots)
	}
	return inv.entry
}

// resume runs an invocation until it waits, stops or ends, in compiled code if that can be.
func (m *machine) resume(inv *invocation) stop {
	if m.native == nil || m.workgroup.looking || m.watch != nil && (m.watch.muted || m.watch.components) || m.entryOf(inv) < 0 {
		inv.entry = unknownEntry
		m.hold()
		return m.exec(inv)
	}
	m.native.SetEntry(inv.local, inv.entry)
	m.runNative(inv.local, inv.local+1)
	return inv.state
}

// runsGroups reports whether compiled code may run many workgroups without coming back.
func (m *machine) runsGroups() bool {
	return m.native != nil && (m.watch == nil || len(m.watch.own) == 0)
}

// regionNow returns the region of compiled code that all invocations run next, or -1.
func (m *machine) regionNow(which stop, first bool) int {
	switch {
	case m.native == nil || m.workgroup.looking || m.watch != nil && m.watch.muted:
		return -1
	case first:
		return 0
	}
	region := m.nativeCode.RegionOf(m.invs[0].entry)
	for i := range m.invs {
		if inv := &m.invs[i]; inv.state != which || inv.entry != m.invs[0].entry {
			return -1
		}
	}
	return region
}

// runRegions runs this workgroup from a region on, and further ones up to before end. It stops when
// all invocations have left in one way, or after it has looked after those that didn't. It returns
// the workgroup's number, and whether that has ended.
func (m *machine) runRegions(d *dispatch, region int, number, end uint64) (now uint64, over bool, err error) {
	if end > number+1 && !m.runsGroups() {
		end = number + 1
	}
	if m.watch != nil {
		m.native.SetWatch(m.watch.state(), m.watch.stored)
	}
	run, err := m.native.RunGroups(region, uint32(end-1), wasm.Taken{Steps: m.steps, Effort: m.effort}, m.budget, m.workgroup.from, m.workgroup.next)
	if err != nil {
		panic(fmt.Sprintf("sim: compiled code failed: %v", err))
	}
	m.steps, m.effort = run.Steps, run.Effort
	now = number + uint64(run.Number-m.groupNumber)
	m.group, m.groupNumber = run.Group, run.Number
	m.workgroup.from, m.workgroup.next = run.GroupFrom, run.Look
	if m.watch != nil {
		m.watch.stored, m.watch.hasRead = m.native.Stored(), m.native.HasRead()
		m.watch.goOn(m.native.Watched())
	}
	switch run.Reached {
	case wasm.AllGroups, wasm.GroupEnd:
		return now, true, nil
	case wasm.Together:
		m.left(0, uint32(len(m.invs)), run.Alike)
		return now, false, nil
	}
	return now, false, m.settleApart(d, run)
}

// left notes that invocations have left compiled code.
func (m *machine) left(first, end uint32, exit wasm.Exit) {
	for i := first; i < end; i++ {
		inv := &m.invs[i]
		inv.state, inv.pc, inv.entry = statesAfter[exit.WayOut], exit.PC, exit.Next
	}
}

// settleApart looks after the invocation at which a run of a region stopped, and runs the rest.
func (m *machine) settleApart(d *dispatch, run wasm.Groups) error {
	at, rest := run.Left, uint32(len(m.invs))
	m.left(0, at, run.Alike)
	m.left(at, at+1, run.Leaving)
	entry, first, which := m.nativeCode.EntryOf(run.Region), run.Region == 0, running
	if m.nativeCode.AfterBarrier(run.Region) {
		which = waiting
	}
	for i := at + 1; i < rest; i++ {
		inv := &m.invs[i]
		inv.state, inv.pc, inv.entry = which, m.nativeCode.PC(entry), entry
	}
	if err := m.settle(d, &m.invs[at], run.From); err != nil || d.stopped.Load() {
		return err
	}
	return m.sweepFrom(d, int(at+1), which, first)
}

// runNative runs the invocations from first to before end, all of which have entries or have ended,
// until the host has to look after one. It returns that one, or nil, and the count of steps when
// the last one began.
func (m *machine) runNative(first, end uint32) (stopped *invocation, from uint64) {
	if m.watch != nil {
		m.native.SetWatch(m.watch.state(), m.watch.stored)
	}
	counts, at, from, err := m.native.Run(first, end, wasm.Taken{Steps: m.steps, Effort: m.effort}, m.budget)
	if err != nil {
		panic(fmt.Sprintf("sim: compiled code failed: %v", err))
	}
	m.steps, m.effort = counts.Steps, counts.Effort
	if m.watch != nil {
		m.watch.stored, m.watch.hasRead = m.native.Stored(), m.native.HasRead()
	}
	for i := first; i < end && i <= at; i++ {
		if inv := &m.invs[i]; m.native.Goes(i) {
			exit := m.native.ExitOf(i)
			inv.state = statesAfter[exit.WayOut]
			inv.pc, inv.entry = exit.PC, exit.Next
		}
	}
	if at < end {
		return &m.invs[at], from
	}
	return nil, from
}

// statesAfter are the machine's names for the ways out of compiled code.
var statesAfter = [...]stop{wasm.Ended: ended, wasm.Waiting: waiting, wasm.Meeting: meeting, wasm.Exhausted: exhausted, wasm.Calling: calling, wasm.Interpreting: interpreting}

// sweepCompiled is sweepFrom in compiled code. It returns the invocation that is next if it has
// left compiled code for good.
func (m *machine) sweepCompiled(d *dispatch, from int, which stop, first bool) (next int, err error) {
	for i := from; i < len(m.invs); i++ {
		inv := &m.invs[i]
		entry := -1
		switch {
		case first:
			inv.entry, entry = wasm.Start, wasm.Start
		case inv.state == which:
			entry = m.entryOf(inv)
		}
		m.native.SetEntry(inv.local, entry)
	}
	at, end := uint32(from), uint32(len(m.invs))
	for at < end && !d.stopped.Load() {
		if m.leaveIfSlow(); m.native == nil {
			break
		}
		inv, began := m.runNative(at, end)
		if inv == nil {
			return int(end), nil
		}
		if err := m.settle(d, inv, began); err != nil {
			return 0, err
		}
		at = inv.local + 1
	}
	return int(at), nil
}

// The numbers from which on a run leaves compiled code for good: the interpreter is as fast.
const (
	mostStops    = 200 // at instructions at which the watcher has to look
	stepsPerStop = 50

	freeCopies   = 1 << 22 // words that may be copied anyway
	wordsPerStep = 8       // that may be copied beyond these: a step saves more time
)

// leaveIfSlow leaves compiled code for good if it does not pay.
func (m *machine) leaveIfSlow() {
	if m.native == nil {
		return
	}
	took := m.steps - m.nativeFrom
	stops := m.stops > mostStops && took < m.stops*stepsPerStop
	copies := m.native.Copied() > freeCopies+wordsPerStep*took
	if stops || copies {
		m.hold()
		m.native = nil
	}
}

// Execute executes an instruction that compiled code leaves to the host.
func (m *machine) Execute(invocation, pc uint32) {
	inv := &m.invs[invocation]
	in, regs := &m.Program.Code[pc], inv.slots
	switch in.Op {
	case ir.OpLengthAt:
		regs[in.A] = m.lengthAt(regs[in.B], in.C)
	case ir.OpLoadHalf, ir.OpStoreHalf:
		m.half(inv, pc, in)
	case ir.OpAtomic:
		m.atomic(inv, pc, in)
	case ir.OpTexel:
		regs[in.A] = m.texel(inv, pc, in)
	case ir.OpTextureSize:
		m.sizes(regs, in)
	case ir.OpStored:
		stored := ir.Formats[in.C].Stored(texture.Texel(regs[in.B : in.B+ir.TexelWords]))
		copy(regs[in.A:], stored[:])
	case ir.OpSample:
		m.sample(regs, in)
	default:
		panic("sim: compiled code left an instruction that the host does not know")
	}
}

// half executes a load or a store of an f16, which is within bounds if the run is watched.
func (m *machine) half(inv *invocation, pc uint32, in *ir.Instr) {
	regs, load := inv.slots, in.Op == ir.OpLoadHalf
	switch at := regs[in.B] + in.C; {
	case at>>2 < uint32(len(m.buffers)) && load:
		if m.watch != nil {
			m.watch.readHalf(m, inv, pc, at)
		}
		regs[in.A] = m.loadHalf(at)
	case at>>2 < uint32(len(m.buffers)):
		if m.watch != nil {
			m.watch.writeHalf(m, inv, pc, at, regs[in.A])
		}
		m.storeHalf(at, regs[in.A])
	case load:
		regs[in.A] = 0
	}
}
