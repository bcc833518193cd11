package sim

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/machine/sim/wasm"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A BoundBuffer is a binding of the host: Size bytes of Data from Offset on, or the rest of Data if
// Size is 0. Data is the whole buffer, little-endian; the shader's writes go there. Buffers that
// share Data are one buffer. A binding can also be a texture, whose texels are Data, or a sampler.
type BoundBuffer struct {
	Group, Binding uint32
	Data           []byte
	Offset, Size   uint64
	Texture        *BoundTexture   // nil for anything else
	Sampler        *texture.Filter // nil for anything else
}

// A BoundProgram is a program with the workgroups to dispatch and what is bound.
type BoundProgram struct {
	*Program
	Workgroups [3]uint32
	Buffers    []BoundBuffer
}

// Copy returns the same with copies of the buffers, which a run may then write to. Those that share
// memory still do.
func (b *BoundProgram) Copy() *BoundProgram {
	c := *b
	c.Buffers = slices.Clone(b.Buffers)
	copies := map[*byte][]byte{}
	for i := range c.Buffers {
		data := &c.Buffers[i].Data
		first := unsafe.SliceData(*data)
		if copies[first] == nil {
			copies[first] = slices.Clone(*data)
		}
		*data = copies[first]
	}
	return &c
}

// Options say how to run. The zero value runs at full speed and reports nothing.
type Options struct {
	Watch bool   // find races, accesses out of bounds and so on; runs one workgroup at a time
	Steps uint64 // limit on the instructions of all invocations together; 0 means about DefaultSteps
	Cores int    // maximum number of workgroups that run at once; 0 means one per core
	Trace *Trace // if not nil, also keep every access; the run is then watched
	Exact bool   // compute floats in 64 bits, for Margins and Undecided; not together with Watch

	Touched *TouchedWords // if not nil, also note which words are read and written; alone

	// First and End choose workgroups by their numbers in x, then y, then z: only those from First
	// to before End run, or all if End is 0. Not together with Watch.
	First, End uint64

	Compile Compile // whether to run machine code; the results are the same

	Order Order // of workgroups and invocations; neither together with Watch nor with First and End
}

// Compile says when to run a program as machine code. The zero value is after so many steps that
// compiling pays.
type Compile uint64

// The other ways.
const (
	Never Compile = iota + 1
	Always
)

// After runs machine code after a number of steps, wherever the dispatch is then.
func After(steps uint64) Compile { return Always + Compile(steps) }

// DefaultSteps is enough for two or three seconds. If no limit is given, slow instructions count as
// several steps, a watched access as ten, so that the time is the same whatever a shader does.
const DefaultSteps = 1_500_000_000

// A Result is the outcome of a run.
type Result struct {
	Findings []findings.Finding // errors first, each kind in the order of discovery
	Wrote    []bool             // by invocation, whether it wrote to a buffer; see shader.Result
	Steps    uint64             // instructions taken
	Finished bool               // all invocations ended
	Endless  bool               // some never end in this order: what decides about their way comes again

	raced    map[uint32]bool // by address, in words
	doubtful map[uint32]bool // by address, in words
	regions  []region        // of the buffers, as in Program.Bindings
	words    []uint32        // of the buffers
	exact    *exactRun       // nil in a usual run
}

// Raced returns for each word of a buffer whether a race decides its value. It returns nil if there
// was no race in any buffer. The run must have been watched.
func (r *Result) Raced(p *Program, group, binding uint32) []bool {
	return r.among(r.raced, p, group, binding)
}

// Doubtful returns for each word of a buffer whether it depends on a read out of bounds. It returns
// nil if nothing depends on such a read. The run must have been watched.
func (r *Result) Doubtful(p *Program, group, binding uint32) []bool {
	return r.among(r.doubtful, p, group, binding)
}

// among returns for each word of a buffer whether it is one of the words.
func (r *Result) among(words map[uint32]bool, p *Program, group, binding uint32) []bool {
	i := slices.IndexFunc(p.Bindings, func(b ir.Binding) bool { return b.Group == group && b.Number == binding })
	if i < 0 || len(words) == 0 {
		return nil
	}
	region := r.regions[i]
	among := make([]bool, region.size/4)
	for j := range among {
		among[j] = words[region.base/4+uint32(j)]
	}
	return among
}

// ErrNotExact means that a program cannot compute its floats in 64 bits.
var ErrNotExact = errors.New("the simulator cannot run the shader in 64 bits")

// maxBuffers limits the size of all buffers together, in bytes: addresses have 31 bits.
const maxBuffers = 1 << 30

// Run dispatches workgroups in x, y and z. It fails if a buffer is missing or too small, or if the
// context ends; the shader's own errors are findings. Runs of the same program may overlap.
//
// A read at an index out of bounds gives zero, and a write does nothing (§ 14.6.2 allows this).
// Workgroups run in order, or in that of the options. The invocations of each run one after the
// other up to the next barrier, so that a run can be repeated. Workgroups run in parallel only in
// an unwatched run without atomics in buffers.
func (p *Program) Run(ctx context.Context, workgroups [3]uint32, buffers []BoundBuffer, options Options) (*Result, error) {
	host, err := p.layOut(buffers)
	if err != nil {
		return nil, err
	}
	if err := p.fitsInMemory(); err != nil {
		return nil, err
	}
	groups := uint64(workgroups[0]) * uint64(workgroups[1]) * uint64(workgroups[2])
	if groups > 1<<40 {
		return nil, fmt.Errorf("%d workgroups are too many", groups)
	}
	steps := options.Steps
	limit := &meter{ctx: ctx, efforts: steps == 0}
	if steps == 0 {
		if steps = DefaultSteps; runtime.GOARCH == "wasm" {
			steps /= 3 // each takes three times as long there
		}
	}
	options.Watch = options.Watch || options.Trace != nil
	limit.left.Store(int64(min(steps, 1<<62)))
	d := &dispatch{Program: p, host: host, workgroups: workgroups, groups: groups, limit: limit, order: options.Order}
	if options.End > 0 {
		d.next.Store(options.First)
		d.groups = min(options.End, groups)
	}
	if options.Watch {
		d.watch = newWatcher(p, host.writable, host.texels, groups)
	}
	if options.Trace != nil {
		d.trace = d.newTracer(options.Trace)
	}
	if options.Touched != nil {
		d.tread = d.newTreader(options.Touched)
	}
	if options.Exact {
		switch {
		case p.Halves:
			return nil, fmt.Errorf("%w: f16 in buffers has no bounds", ErrNotExact)
		case p.Textures:
			return nil, fmt.Errorf("%w: texels have no bounds", ErrNotExact)
		}
		d.exact = d.newExactRun()
	}
	cores := options.Cores
	if cores == 0 {
		cores = runtime.GOMAXPROCS(0)
	}
	if options.Watch || options.Exact || options.Touched != nil || p.Atomics || p.Halves || options.Order != (Order{}) {
		cores = 1
	}
	cores = int(min(uint64(cores), max(groups, 1)))
	d.compiled, d.when = d.compiles(options), options.Compile
	host.words = make([]uint32, host.size, host.size+d.spareWords(cores))
	host.copyTo(host.words)
	defer d.freeMemory()
	err = d.run(cores)
	if d.watch != nil && !d.stopped.Load() && err == nil {
		err = d.excuse(steps)
	}
	host.download()
	if err != nil {
		return nil, err
	}
	result := &Result{Steps: d.steps.Load(), Finished: !d.stopped.Load(), Endless: d.endless.Load(), regions: host.regions}
	if d.exact != nil {
		result.exact, result.words = d.exact, host.words
	}
	if d.watch != nil {
		d.watch.tellOwn()
		result.Findings, result.Wrote = d.watch.sorted(), d.watch.wrote
		result.raced, result.doubtful = map[uint32]bool{}, d.doubtful
		d.watch.raced.each(func(cell uint32, raced bool) {
			if raced {
				result.raced[cell>>halfShift(p.Program)] = true
			}
		})
	}
	return result, nil
}

// maxWorkgroupSlots limits the slots of all invocations of a workgroup together.
const maxWorkgroupSlots = 1 << 26

func (p *Program) fitsInMemory() error {
	size := p.Pipeline.WorkgroupSize
	if uint64(len(p.Initial))*uint64(size[0])*uint64(size[1])*uint64(size[2]) > maxWorkgroupSlots {
		return fmt.Errorf("%w: its invocations hold too much", ir.ErrTooLarge)
	}
	return nil
}

// hostMemory is the host's buffers in the machine's layout.
type hostMemory struct {
	words    []uint32
	size     int    // of the words
	writable uint32 // number of writable words, from the first on
	texels   uint32 // the first of these that belongs to a texture
	regions  []region
	whole    []wholeBuffer
	handles  []handle // as in Program.Bindings
}

// A wholeBuffer is a host's buffer and its first word in the machine's buffers.
type wholeBuffer struct {
	data     []byte
	word     uint32
	writable bool
}

// upload copies the buffers that the program binds.
func (p *Program) upload(buffers []BoundBuffer) (*hostMemory, error) {
	h, err := p.layOut(buffers)
	if err == nil {
		h.words = make([]uint32, h.size)
		h.copyTo(h.words)
	}
	return h, err
}

// layOut lays out the buffers that the program binds, the writable ones first.
func (p *Program) layOut(buffers []BoundBuffer) (*hostMemory, error) {
	h := &hostMemory{regions: make([]region, len(p.Bindings)), handles: make([]handle, len(p.Bindings))}
	bound := make([]BoundBuffer, len(p.Bindings))
	for i, b := range p.Bindings {
		found := false
		for _, given := range buffers {
			if given.Group == b.Group && given.Binding == b.Number {
				bound[i], found = given, true
			}
		}
		switch {
		case !found && b.Group == ir.ImmediateGroup:
			return nil, fmt.Errorf("nothing is set for `%s` in var<immediate>: bind immediate=TYPE:v,v,…", b.Object.Name)
		case !found:
			return nil, fmt.Errorf("nothing is bound to `%s`, @group(%d) @binding(%d)", b.Object.Name, b.Group, b.Number)
		}
		if err := fits(b, &bound[i]); err != nil {
			return nil, err
		}
	}
	places := map[*byte]uint32{}
	var words uint64
	for _, writable := range []bool{true, false} {
		for i, b := range p.Bindings {
			data := bound[i].Data
			first := unsafe.SliceData(data)
			if _, placed := places[first]; placed || b.Writable != writable || b.Handle() {
				continue
			}
			if words*4+uint64(len(data)) > maxBuffers {
				return nil, fmt.Errorf("the buffers together have more than %d bytes", maxBuffers)
			}
			places[first] = uint32(words)
			h.whole = append(h.whole, wholeBuffer{data, uint32(words), writable})
			words += (uint64(len(data)) + 3) / 4
		}
		if writable {
			h.texels = uint32(words)
		}
		var err error
		if words, err = h.place(p, bound, words, writable); err != nil {
			return nil, err
		}
		if writable {
			h.writable = uint32(words)
		}
	}
	h.size = int(words)
	for i, b := range p.Bindings {
		if b.Handle() {
			continue
		}
		base := places[unsafe.SliceData(bound[i].Data)]*4 + uint32(bound[i].Offset)
		h.regions[i] = region{base, uint32(bound[i].Size)}
	}
	return h, nil
}

// fits checks that a buffer is as large as its variable, and sets its size if it was omitted.
func fits(b ir.Binding, given *BoundBuffer) error {
	if b.Handle() || given.Texture != nil || given.Sampler != nil {
		return fitsHandle(b, given)
	}
	length := uint64(len(given.Data))
	if given.Size == 0 && given.Offset <= length {
		given.Size = length - given.Offset
	}
	switch {
	case given.Offset > length || given.Size > length-given.Offset:
		return fmt.Errorf("`%s` is bound to bytes %d to %d of a buffer of %d", b.Object.Name, given.Offset, given.Offset+given.Size, length)
	case given.Offset%4 != 0:
		return fmt.Errorf("`%s` is bound at byte %d, which is not a multiple of 4", b.Object.Name, given.Offset)
	case given.Size < b.MinBytes:
		return fmt.Errorf("`%s` needs at least %d bytes, but %d are bound", b.Object.Name, b.MinBytes, given.Size)
	}
	return nil
}

// copyTo copies what the host has bound to words, each little-endian, as this machine's are.
func (h *hostMemory) copyTo(words []uint32) {
	for _, b := range h.whole {
		copy(b.in(words), b.data)
	}
	for i := range h.handles {
		h.fill(i, words)
	}
}

// in returns the buffer's bytes in words: all that make whole words.
func (b *wholeBuffer) in(words []uint32) []byte {
	words = words[b.word:][:len(b.data)/4]
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
}

// download copies the shader's writes to the host.
func (h *hostMemory) download() {
	for _, b := range h.whole {
		if !b.writable {
			continue
		}
		copy(b.data, b.in(h.words))
	}
	for _, t := range h.handles {
		t.download(h.words)
	}
}

// A meter hands out steps until none are left or the context ends.
type meter struct {
	ctx     context.Context
	left    atomic.Int64
	efforts bool // slow instructions count as several steps
}

// slice is the number of steps handed out at once: a few milliseconds. Effort uses them up as well,
// so whatever a shader does, the machine soon looks whether the context has ended.
const slice = 1 << 19

// take hands out steps; it returns 0 if none are left. The steps beyond those handed out last time
// count, which may be negative, and perhaps the effort.
func (m *meter) take(beyond, effort uint64) (uint64, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	if m.left.Add(-int64(beyond)); m.efforts {
		m.left.Add(-int64(effort))
	}
	left := m.left.Add(-slice) + slice
	return uint64(min(max(left, 0), slice)), nil
}

// asking returns a function that reports whether the context goes on. It looks after each slice.
func (m *meter) asking(of *machine) func() bool {
	next := of.spent() + slice
	return func() bool {
		if of.spent() < next {
			return true
		}
		next = of.spent() + slice
		return m.ctx.Err() == nil
	}
}

// A dispatch is one run of a program.
type dispatch struct {
	*Program
	host       *hostMemory
	workgroups [3]uint32
	groups     uint64
	order      Order
	limit      *meter
	watch      *watcher
	trace      *tracer
	tread      *treader
	exact      *exactRun
	next       atomic.Uint64
	steps      atomic.Uint64
	stopped    atomic.Bool // the steps are used up, or an invocation never ends
	endless    atomic.Bool // an invocation never ends
	reads      outsideReads
	trial      []ir.Instr      // the code of a trial; nil in other runs
	doubtful   map[uint32]bool // the words that depend on a read out of bounds

	compiled bool        // it may run compiled code
	when     Compile     // it moves there
	machines []*machine  // that run compiled code
	stopCode func()      // ends the compiled code's use; nil while the interpreter runs
	arena    *wasm.Arena // the memory of compiled code; nil while the interpreter runs
}

func (d *dispatch) run(cores int) error {
	if d.compiled {
		return d.runCompiled(cores)
	}
	errs := make([]error, cores)
	d.beside(cores, func(core int) { errs[core] = d.work(d.machine(cores > 1)) })
	return errors.Join(errs...)
}

// beside does work on each core, the first of which is the caller's. It returns after all have
// ended, even if the caller's panics.
func (d *dispatch) beside(cores int, work func(core int)) {
	var others fence.Group
	for core := 1; core < cores; core++ {
		others.Go(func() { work(core) })
	}
	defer others.Wait()
	work(0)
}

// work runs workgroups until none is left.
func (d *dispatch) work(m *machine) error {
	defer func() { d.steps.Add(m.steps) }()
	order := d.order.of(d.groups)
	for !d.stopped.Load() {
		number, end := d.take(m)
		if number == end {
			return nil
		}
		for ; number < end && !d.stopped.Load(); number++ {
			m.enter(order.at(number), d.workgroups)
			if err := m.refill(d); err != nil || d.stopped.Load() {
				return err
			}
			m.mayMove()
			last, err := m.runGroups(d, number, end)
			if err != nil {
				return err
			}
			number = last
		}
	}
	return nil
}

// mostAtOnce limits the workgroups that a core takes at once.
const mostAtOnce = 1 << 16

// take returns the workgroups to run next, from a number to before another one. Compiled code runs
// many without coming back.
func (d *dispatch) take(m *machine) (from, end uint64) {
	n := uint64(1)
	if m.runsGroups() {
		left := d.groups - min(d.next.Load(), d.groups)
		n = min(left, mostAtOnce)
		if m.parallel {
			n = min(left/(8*uint64(len(d.machines)))+1, mostAtOnce)
		}
		n = max(n, 1)
	}
	end = d.next.Add(n)
	return min(end-n, d.groups), min(end, d.groups)
}

func (d *dispatch) machine(parallel bool) *machine {
	m := newMachine(d.Program.Program, d.host, d.workgroups)
	m.parallel, m.reads = parallel, d.reads
	if d.watch != nil {
		m.watch, m.code, m.badAt = d.watch, d.WatchedCode, make([]uint32, len(d.Code))
	}
	if d.trial != nil {
		m.code = d.trial
	}
	if d.trace != nil {
		m.beside, m.code = d.trace, d.trace.code
	}
	if d.tread != nil {
		m.beside, m.code = d.tread, d.tread.code
	}
	if d.exact != nil {
		d.exact.shadow = newShadow[estimate](m)
		m.beside, m.code = d.exact, d.exact.code
	}
	return m
}

// room is how many slots of an expression find room after the slots of each invocation in a program
// for debugging. An expression with more slots copies all of them.
const room = 64

// newMachine makes a machine with slots for all invocations of a workgroup, or for one if they need
// not wait for each other.
func newMachine(p *ir.Program, host *hostMemory, workgroups [3]uint32) *machine {
	m := &machine{
		Program: p, host: host, code: p.Code, shared: make([]uint32, p.SharedWords), buffers: host.words, regions: host.regions, handles: host.handles,
		count: workgroups,
	}
	m.runs = m.runtimeArrays()
	size := p.Pipeline.WorkgroupSize
	count := int(size[0] * size[1] * size[2])
	states := count
	if !p.Barriers {
		states = 1
	}
	width := len(p.Initial)
	apart := width
	if p.Debuggable() {
		apart += room
	}
	slots := make([]uint32, states*apart)
	m.invs = make([]invocation, count)
	for i := range m.invs {
		at := i
		if !p.Barriers {
			at = 0
		}
		m.invs[i] = invocation{slots: slots[at*apart : at*apart+width : (at+1)*apart], local: uint32(i)}
	}
	for i := range states {
		s := slots[i*apart : i*apart+width]
		copy(s, p.Initial)
		for j, b := range p.Bindings {
			if s[b.Slot] = host.regions[j].base; b.Handle() {
				s[b.Slot] = uint32(j)
			}
		}
		copy(s[ir.NumWorkgroups:], workgroups[:])
	}
	m.divide()
	return m
}

// runtimeArrays returns the start and the length of the program's runtime-sized arrays.
func (m *machine) runtimeArrays() []runtimeArray {
	runs := make([]runtimeArray, len(m.Arrays))
	for i, a := range m.Arrays {
		r := m.regions[a.Binding]
		runs[i] = runtimeArray{r.base + a.Offset, (r.size - a.Offset) / a.Stride, a.Stride}
	}
	return runs
}

// enter starts a workgroup, numbered in x, then y, then z.
func (m *machine) enter(number uint64, workgroups [3]uint32) {
	x, y := uint64(workgroups[0]), uint64(workgroups[1])
	m.group = [3]uint32{uint32(number % x), uint32(number / x % y), uint32(number / x / y)}
	m.groupNumber = uint32(number)
	m.lost = m.lost[:0] // no address outlives its invocation
	clear(m.shared)
	m.effort += uint64(len(m.shared) / effortlessWords)
	for i := range m.invs {
		m.invs[i].state, m.invs[i].pc, m.invs[i].entry = running, 0, unknownEntry
	}
	m.workgroup.enter(m)
	if m.native != nil {
		m.native.Enter(m.group, m.groupNumber)
	}
	if m.watch != nil {
		m.watch.enter(m.groupNumber)
	}
	if m.beside != nil {
		m.beside.enter()
	}
}

// start gives an invocation its inputs and sets its private variables to their initial values.
func (m *machine) start(inv *invocation) {
	s, size := inv.slots, m.Pipeline.WorkgroupSize
	id := [3]uint32{inv.local % size[0], inv.local / size[0] % size[1], inv.local / size[0] / size[1]}
	for i := range id {
		s[ir.LocalID+i] = id[i]
		s[ir.WorkgroupID+i] = m.group[i]
		s[ir.GlobalID+i] = m.group[i]*size[i] + id[i]
	}
	s[ir.LocalIndex] = inv.local
	s[ir.GroupIndex] = m.groupNumber
	global := s[ir.GlobalID : ir.GlobalID+3] // row by row through all workgroups (§ Compute Shaders and Workgroups)
	s[ir.GlobalIndex] = (global[2]*size[1]*m.count[1]+global[1])*size[0]*m.count[0] + global[0]
	s[ir.SubgroupLane], s[ir.SubgroupID] = inv.lane, inv.subgroup
	s[ir.SubgroupSize], s[ir.NumSubgroups] = m.Division.SizeIn(m.Program), uint32(len(m.subgroups))
	m.effort += uint64(m.Private.To-m.Private.From) / effortlessWords
	copy(s[m.Private.From:m.Private.To], m.Initial[m.Private.From:m.Private.To])
}

// runGroups runs the workgroup that the machine has entered to its end. It runs all invocations to
// the next barrier, one after the other, and repeats. Compiled code may run further workgroups, up
// to before end. It returns the number of the last one that it ran.
func (m *machine) runGroups(d *dispatch, number, end uint64) (last uint64, err error) {
	which := running
	for first := true; ; first = false {
		m.mayMove()
		ended := false
		if region := m.regionNow(which, first); region >= 0 {
			number, ended, err = m.runRegions(d, region, number, end)
		} else {
			err = m.sweepFrom(d, 0, which, first)
		}
		if err != nil || d.stopped.Load() || ended {
			return number, err
		}
		if which, ended = m.meetAll(d); ended {
			return number, nil
		}
	}
}

// runGroup runs the workgroup that the machine has entered to its end.
func (m *machine) runGroup(d *dispatch) error {
	number := uint64(m.groupNumber)
	_, err := m.runGroups(d, number, number+1)
	return err
}

// meetAll lets the invocations of a workgroup, none of which can go on alone, take functions of
// their subgroups, or pass a barrier if none is at such a function. It returns the state of those
// that go on, and reports whether the workgroup has ended.
func (m *machine) meetAll(d *dispatch) (which stop, over bool) {
	if which = running; !m.Subgroups || !m.join(m.beside) {
		waits := m.waits()
		if waits == 0 {
			return ended, true
		}
		if m.watch != nil {
			m.watch.meet(m, waits)
		}
		if m.beside != nil {
			m.beside.meet(m)
		}
		which = waiting
	}
	if m.workgroup.comesAgain(m) {
		m.leave(d)
		return ended, true
	}
	return which, false
}

// waits returns how many invocations wait at a barrier.
func (m *machine) waits() (n int) {
	for i := range m.invs {
		if m.invs[i].state == waiting {
			n++
		}
	}
	return n
}

// sweepFrom runs all invocations in a state, from one on and in order, each until it waits or ends.
// Those that are running have met others of their subgroup, or begin with first. Each runs in the
// interpreter or in compiled code, wherever the machine is when its turn comes.
func (m *machine) sweepFrom(d *dispatch, i int, which stop, first bool) (err error) {
	order := d.order.of(uint64(len(m.invs)))
	for i < len(m.invs) && err == nil && !d.stopped.Load() {
		if m.native != nil && !m.workgroup.looking { // the interpreter looks at each round
			i, err = m.sweepCompiled(d, i, which, first)
			continue
		}
		m.hold()
		inv := &m.invs[order.at(uint64(i))]
		if first {
			m.start(inv)
		}
		if inv.state == which {
			err = m.advance(d, inv)
		}
		i++
	}
	return err
}

// leave ends a run whose workgroup never ends.
func (m *machine) leave(d *dispatch) {
	d.never()
	if m.watch != nil {
		m.watch.stuck(m, m.workgroup.first(m), true)
	}
}

// advance runs an invocation until it ends, waits or never will, or has used up the steps.
func (m *machine) advance(d *dispatch, inv *invocation) error {
	from := m.steps
	inv.state = m.resume(inv)
	return m.settle(d, inv, from)
}

// settle goes on with an invocation that has stopped, and began at a count of steps.
func (m *machine) settle(d *dispatch, inv *invocation, from uint64) error {
	look := from + firstLook
	for {
		switch inv.state {
		case ended, waiting, meeting:
			return nil
		case atStmt:
			if m.beside != nil {
				m.beside.stopped(m, inv)
			}
			inv.state = m.exec(inv)
			continue
		case interpreting:
			if inv.state = m.interpret(inv); m.spent() < m.granted && inv.canGoOn() {
				inv.state = m.resume(inv)
			}
			continue
		}
		if err := m.refill(d); err != nil {
			return err
		}
		m.mayMove()
		if m.workgroup.pass(m, inv); m.steps >= look && inv.canGoOn() && !d.stopped.Load() {
			if m.comesAgain(d, inv, (m.steps-from)/lookShare) {
				d.never()
			}
			inv.entry = unknownEntry
			look = m.steps + (m.steps-from)/2
		}
		if d.stopped.Load() {
			if m.watch != nil {
				m.watch.stuck(m, inv, d.endless.Load())
			}
			return nil
		}
		if inv.canGoOn() {
			inv.state = m.resume(inv)
		}
	}
}

// never ends the run: an invocation never ends.
func (d *dispatch) never() {
	d.endless.Store(true)
	d.stopped.Store(true)
}

// spent returns the steps taken so far, and the effort since the machine asked for more.
func (m *machine) spent() uint64 { return m.steps + m.effort }

// refill takes more steps when the current ones are used up, or as much effort.
func (m *machine) refill(d *dispatch) error {
	if m.spent() < m.granted {
		return nil
	}
	more, err := d.limit.take(m.steps-m.granted, m.effort)
	if more == 0 && err == nil {
		d.stopped.Store(true)
	}
	m.effort = 0
	m.granted = m.steps + more
	if m.budget = m.granted; m.move != nil {
		m.budget = min(m.budget, m.moveAt)
	}
	return err
}
