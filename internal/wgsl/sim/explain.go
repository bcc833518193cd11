package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An Origin tells how a number came to be.
type Origin = shader.Origin

// ErrTooManySteps says that a run is too long to be followed back.
var ErrTooManySteps = errors.New("the run is too long to be followed back")

// The bounds of an explanation: what is recorded, how deep it goes and how many steps it has.
const (
	maxRecorded = 1 << 22
	maxDepth    = 24
	maxOrigins  = 400
)

// Explain runs the program once more, from the same buffers, and follows one word of a buffer back: the word at offset,
// in bytes, of what is bound at group and binding. It is nil where no invocation has written the word. The buffers are
// left as they are.
func (p *Program) Explain(ctx context.Context, workgroups [3]uint32, buffers []Buffer, group, binding uint32, offset uint64) (*Origin, error) {
	if err := p.fitsInMemory(); err != nil {
		return nil, err
	}
	host, err := p.upload(buffers)
	if err != nil {
		return nil, err
	}
	r := newRecorder(ctx, p, host, workgroups)
	for i, b := range p.Bindings {
		if b.Group == group && b.Number == binding && offset+4 <= uint64(host.regions[i].size) {
			if err := r.run(); err != nil {
				return nil, err
			}
			return r.explain(r.buffers[(host.regions[i].base+uint32(offset))>>2]), nil
		}
	}
	return nil, fmt.Errorf("there is no byte %d at @group(%d) @binding(%d)", offset, group, binding)
}

// A deed is one instruction that made a value.
type deed struct {
	pc, local, group uint32
	value            uint32
	address          uint32 // of loads and stores: a byte of the buffers, a word of workgroup memory
	from             [3]int32
}

// A recorder runs a program instruction by instruction and keeps, for every slot and word of memory, the deed that made
// what is there; 0 for none.
type recorder struct {
	*machine
	ctx     context.Context
	count3  [3]uint32
	deeds   []deed
	slots   [][]int32
	shared  []int32
	buffers []int32
	single  [3]instr
}

func newRecorder(ctx context.Context, p *Program, host *hostMemory, workgroups [3]uint32) *recorder {
	d := &dispatch{Program: p, host: host, workgroups: workgroups}
	separate := *p
	separate.barriers = true
	r := &recorder{
		machine: newMachine(&separate, d.host, workgroups), ctx: ctx, count3: workgroups, deeds: make([]deed, 1),
		shared: make([]int32, p.sharedWords), buffers: make([]int32, len(host.words)),
	}
	for range r.invs {
		r.slots = append(r.slots, make([]int32, len(p.initial)))
	}
	r.single[1].op, r.single[2].op = opStmt, opStmt
	return r
}

func (r *recorder) run() error {
	groups := uint64(r.count3[0]) * uint64(r.count3[1]) * uint64(r.count3[2])
	for number := range groups {
		r.enter(number, r.count3)
		clear(r.shared)
		for i := range r.invs {
			r.start(&r.invs[i])
			clear(r.slots[i])
		}
		for again := true; again; {
			again = false
			for i := range r.invs {
				inv := &r.invs[i]
				if inv.state == ended {
					continue
				}
				if err := r.follow(inv); err != nil {
					return err
				}
				again = again || inv.state == waiting
			}
		}
	}
	return nil
}

// follow runs an invocation to a barrier or its end.
func (r *recorder) follow(inv *invocation) error {
	for n := 0; ; n++ {
		if len(r.deeds) > maxRecorded || n > maxRecorded {
			return ErrTooManySteps
		}
		if n&0xffff == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		if inv.state = r.one(inv); inv.state != running {
			return nil
		}
	}
}

// one runs one instruction.
func (r *recorder) one(inv *invocation) stop {
	pc := inv.pc
	in := r.Program.code[pc]
	next := pc + 1
	switch {
	case in.op == opEnd:
		inv.pc = next
		return ended
	case in.op == opBarrier:
		inv.pc = next
		return waiting
	case in.op == opCall:
		inv.slots[in.a] = next
		next = in.c
	case in.op == opRet:
		next = inv.slots[in.a]
	case in.op == opJmp || in.op == opLoop:
		next = in.c
	case in.op == opStmt:
	case in.op >= opJz && in.op <= opJnleF:
		in.c = 2
		if r.alone(inv, in) == 2 {
			next = r.Program.code[pc].c
		}
	default:
		r.record(inv, pc, in)
	}
	inv.pc = next
	return running
}

// alone executes one instruction and gives the place in r.single that came next.
func (r *recorder) alone(inv *invocation, in instr) uint32 {
	r.single[0] = in
	r.machine.code, inv.pc = r.single[:], 0
	r.exec(inv)
	return inv.pc - 1
}

// record executes an instruction that changes slots or memory, and notes where the new values come from.
func (r *recorder) record(inv *invocation, pc uint32, in instr) {
	from := r.slots[inv.local]
	note := func(value, address uint32, deeds ...int32) int32 {
		d := deed{pc: pc, local: inv.local, group: r.groupNumber, value: value, address: address}
		copy(d.from[:], deeds)
		r.deeds = append(r.deeds, d)
		return int32(len(r.deeds) - 1)
	}
	chosen := in.op == opMovIf && inv.slots[in.b] != 0
	base, memory := r.reach(inv, in)
	r.alone(inv, in)
	switch in.op {
	case opMov:
		from[in.a] = from[in.b]
	case opMovN:
		copy(from[in.a:in.a+in.c], from[in.b:in.b+in.c])
	case opZero:
		clear(from[in.a : in.a+in.c])
	case opMovIf:
		if chosen {
			from[in.a] = from[in.c]
		}
	case opLdS:
		for i := range uint32(in.n) {
			from[in.a+i] = 0
			if memory != nil {
				from[in.a+i] = memory[base+i]
			}
		}
	case opStS:
		for i := range uint32(in.n) {
			if memory != nil {
				memory[base+i] = from[in.a+i]
			}
		}
	case opLdW, opLdM, opLdRun, opLdH:
		for i := range uint32(in.n) {
			made, address := int32(0), uint32(nowhere)
			if memory != nil {
				made, address = memory[base+i], r.addressOf(in.op, base+i)
			}
			from[in.a+i] = note(inv.slots[in.a+i], address, made)
		}
	case opStW, opStM, opStRun, opStH:
		for i := range uint32(in.n) {
			if memory != nil {
				memory[base+i] = note(inv.slots[in.a+i], r.addressOf(in.op, base+i), from[in.a+i])
			}
		}
	case opAtomic:
		r.recordAtomic(inv, in, note)
	case opFn3:
		from[in.a] = note(inv.slots[in.a], 0, from[in.b], from[in.b+1], from[in.b+2])
	default:
		switch {
		case in.op >= opIndex && in.op <= opLenAt:
			from[in.a] = 0
		case in.op.readsC():
			from[in.a] = note(inv.slots[in.a], 0, from[in.b], from[in.c])
		default:
			from[in.a] = note(inv.slots[in.a], 0, from[in.b])
		}
	}
}

// nowhere is the address of what was read out of bounds.
const nowhere = math.MaxUint32

// reach is the first word that a load or store touches, and the deeds of that memory; nil where it leads nowhere.
func (r *recorder) reach(inv *invocation, in instr) (word uint32, memory []int32) {
	switch in.op {
	case opLdS, opStS:
		word, memory = inv.slots[in.b]+in.c, r.slots[inv.local]
	case opLdW, opStW:
		word, memory = inv.slots[in.b]+in.c, r.shared
	case opLdM, opStM, opLdH, opStH:
		word, memory = (inv.slots[in.b]+in.c)>>2, r.buffers
	case opLdRun, opStRun:
		run := r.runs[in.c]
		if i := inv.slots[in.b]; i < run.length {
			return run.base>>2 + i, r.buffers
		}
		return 0, nil
	default:
		return 0, nil
	}
	if word >= uint32(len(memory)) {
		return 0, nil
	}
	return word, memory
}

func (r *recorder) addressOf(o op, word uint32) uint32 {
	if o == opLdW || o == opStW {
		return word
	}
	return word << 2
}

// recordAtomic: an atomic is made of what it held before and of what came to it.
func (r *recorder) recordAtomic(inv *invocation, in instr, note func(value, address uint32, deeds ...int32) int32) {
	memory, words, word := r.shared, r.machine.shared, inv.slots[in.b]
	address := word
	if in.n&atomicInBuffer != 0 {
		memory, words, word = r.buffers, r.machine.buffers, word>>2
	}
	if word >= uint32(len(memory)) {
		return
	}
	from := r.slots[inv.local]
	kind := in.n &^ atomicInBuffer
	before := memory[word]
	switch kind {
	case atomicLoad:
	case atomicStore, atomicExchange:
		memory[word] = note(words[word], address, from[in.c])
	case atomicCompareExchange:
		memory[word] = note(words[word], address, before, from[in.c+1])
	default:
		memory[word] = note(words[word], address, before, from[in.c])
	}
	if kind != atomicStore && kind < atomicStoreMax64 {
		from[in.a] = note(inv.slots[in.a], address, before)
	}
}

// explain makes an explanation of a deed; nil for none.
func (r *recorder) explain(made int32) *Origin {
	left := maxOrigins
	return r.origin(made, maxDepth, &left)
}

func (r *recorder) origin(made int32, depth int, left *int) *Origin {
	if made == 0 || depth == 0 || *left == 0 {
		return nil
	}
	*left--
	d := &r.deeds[made]
	n := r.notes[d.pc]
	in := r.Program.code[d.pc]
	o := &Origin{Text: strings.TrimSuffix(r.text(n.span), ";"), Value: r.format(d, in), Times: 1, Place: r.placeIn(n.span, r.groupID(d.group), d.local)}
	sources := d.from[:]
	switch in.op {
	case opLdW, opStW, opLdM, opLdRun, opLdH, opStM, opStRun, opStH:
		if d.address == nowhere {
			return o // it stays what the source says: b[i + 1]
		}
	}
	switch in.op {
	case opLdW, opStW:
		o.Text = r.sharedSpot(d.address).text
	case opLdM, opLdRun, opLdH, opStM, opStRun, opStH:
		o.Text = r.bufferSpot(d.address).text
		if d.from[0] == 0 && in.op != opStM && in.op != opStRun && in.op != opStH {
			o.Place = shader.Place{} // the host gave it
		}
	default:
		sources, o.Times = r.repeated(made)
	}
	for _, s := range sources {
		if from := r.origin(s, depth-1, left); from != nil {
			o.From = append(o.From, from)
		}
	}
	return o
}

// repeated takes a chain of the same instruction, as a sum in a loop is one, for one step with many sources: what the
// chain began with and what came to it, the first few.
func (r *recorder) repeated(made int32) (sources []int32, times int) {
	d := &r.deeds[made]
	var links []int32
	for at := made; ; {
		next := int32(0)
		for _, s := range r.deeds[at].from {
			if s != 0 && r.deeds[s].pc == d.pc && r.deeds[s].local == d.local {
				next = s
			}
		}
		links = append(links, at)
		if next == 0 {
			break
		}
		at = next
	}
	if len(links) == 1 {
		return d.from[:], 1
	}
	for i := len(links) - 1; i >= 0 && len(links)-i <= shader.ShownTimes; i-- {
		for _, s := range r.deeds[links[i]].from {
			if s != 0 && r.deeds[s].pc != d.pc {
				sources = append(sources, s)
			}
		}
	}
	return sources, len(links)
}

// format writes the value that a deed made.
func (r *recorder) format(d *deed, in instr) string {
	kind := r.notes[d.pc].kind
	switch in.op {
	case opLdW, opStW:
		kind = kindOfSpot(r.variableAt(inShared, d.address))
	case opLdM, opLdRun, opLdH, opStM, opStRun, opStH:
		kind = kindOfSpot(r.variableAt(inBuffers, d.address))
	case opEq, opNe, opLtI, opLeI, opLtU, opLeU, opEqF, opNeF, opLtF, opLeF, opLNot:
		kind = types.BoolKind
	case opAddF, opSubF, opMulF, opDivF, opRemF, opNegF, opMinF, opMaxF, opAbsF, opRoundH:
		kind = types.F32Kind
	case opFn1:
		if functions1[in.n].float {
			kind = types.F32Kind
		}
	}
	return formatBits(d.value, kind)
}

func (r *recorder) variableAt(where memory, address uint32) types.Type {
	for i, b := range r.Bindings {
		if g := r.regions[i]; where == inBuffers && g.base <= address && address-g.base < g.size {
			return b.Object.Store()
		}
	}
	for _, v := range r.variables {
		if where == inShared && v.where == inShared && v.slots == nil && address >= v.base && address-v.base < r.flatWords(v.object.Store()) {
			return v.object.Store()
		}
	}
	return types.U32
}

// kindOfSpot is the scalar that a variable is made of, if it is made of one only.
func kindOfSpot(t types.Type) types.ScalarKind {
	for {
		a, ok := t.(*types.Array)
		if !ok {
			break
		}
		t = a.Elem
	}
	if _, mixed := t.(*types.Struct); mixed {
		return types.U32Kind
	}
	return kindOf(t)
}
