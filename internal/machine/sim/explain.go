package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An Origin explains how a number was computed.
type Origin = shader.Origin

// ErrTooManySteps means that a run is too long to trace a number back.
var ErrTooManySteps = errors.New("the run is too long to trace back")

// The limits of an explanation: recorded deeds, depth and steps.
const (
	maxRecorded = 1 << 22
	maxDepth    = 24
	maxOrigins  = 400
)

// Explain runs the program again, from the same buffers, and traces one word of a buffer back to
// its sources. The word is at offset, in bytes, in the buffer at group and binding. The result is
// nil if no invocation has written the word. Explain does not change the buffers.
func (p *Program) Explain(ctx context.Context, workgroups [3]uint32, buffers []BoundBuffer, group, binding uint32, offset uint64) (*Origin, error) {
	r, err := p.newRecorder(ctx, workgroups, buffers, maxRecorded)
	if err != nil {
		return nil, err
	}
	for i, b := range p.Bindings {
		if b.Group == group && b.Number == binding && offset+4 <= uint64(r.regions[i].size) {
			if err := r.tell(r); err != nil {
				return nil, err
			}
			return r.explain(r.made.buffers[(r.regions[i].base+uint32(offset))>>2]), nil
		}
	}
	return nil, fmt.Errorf("there is no byte %d at @group(%d) @binding(%d)", offset, group, binding)
}

// A deed is one executed instruction that made a value.
type deed struct {
	pc, local, group uint32
	value            uint32
	address          uint32 // of loads and stores: a byte in the buffers or a word of workgroup memory
	from             [3]int32
}

// A recorder keeps a deed for every value that a run makes.
type recorder struct {
	*recording
	deeds []deed
}

func (p *Program) newRecorder(ctx context.Context, workgroups [3]uint32, buffers []BoundBuffer, most int) (*recorder, error) {
	r, err := p.newRecording(ctx, workgroups, buffers, most)
	return &recorder{recording: r, deeds: make([]deed, 1)}, err
}

func (r *recorder) enters()   {}
func (r *recorder) kept() int { return len(r.deeds) }

func (r *recorder) jumps(inv *invocation, _ uint32, in ir.Instr) bool { return r.taken(inv, in) }

// joined records what each invocation of a subgroup got. What is made of several values came from
// the invocation's own, as far as the record goes.
func (r *recorder) joined(m *machine, j joining) {
	r.made.joined(m, j)
	for _, inv := range j.active {
		made := &r.made.slots[inv.local][j.in.A]
		r.deeds = append(r.deeds, deed{pc: j.pc, local: inv.local, group: r.groupNumber, value: inv.slots[j.in.A], from: [3]int32{*made}})
		*made = int32(len(r.deeds) - 1)
	}
}

// keeps executes an instruction, and records the sources of the new values.
func (r *recorder) keeps(inv *invocation, pc uint32, in ir.Instr) {
	if r.made.follow(r.machine, inv, &in) {
		r.alone(inv, in)
		return
	}
	note := func(value, address uint32, deeds ...int32) int32 {
		d := deed{pc: pc, local: inv.local, group: r.groupNumber, value: value, address: address}
		copy(d.from[:], deeds)
		r.deeds = append(r.deeds, d)
		return int32(len(r.deeds) - 1)
	}
	var address uint32
	var memory []int32
	if in.Op.Info().ReadsOrWritesShared() {
		if word, ok := r.reach(inv, &in); ok {
			address, memory = r.addressOf(inv, in, word), r.made.of(in.Op.Info().Memory, inv)[word:]
		}
	}
	r.alone(inv, in)
	if in.Op == ir.OpAtomic {
		r.recordAtomic(inv, in, note)
	} else {
		r.recordByTable(inv, in, address, memory, note)
	}
}

// recordByTable records an instruction that the table describes completely. The memory begins with
// the word at the address, and is nil for an access out of bounds.
func (r *recorder) recordByTable(inv *invocation, in ir.Instr, address uint32, memory []int32, note func(value, address uint32, deeds ...int32) int32) {
	from, info := r.made.slots[inv.local], in.Op.Info()
	takes := info.Operands
	switch {
	case info.Access == ir.Read:
		for i := range uint32(in.N) {
			made, at := int32(0), uint32(nowhere)
			if memory != nil {
				made, at = memory[i], address+i*info.Memory.Unit()
			}
			from[in.A+i] = note(inv.slots[in.A+i], at, made)
		}
	case info.Access == ir.Write:
		for i := range uint32(in.N) {
			if memory != nil {
				memory[i] = note(inv.slots[in.A+i], address+i*info.Memory.Unit(), from[in.A+i])
			}
		}
	case takes.A == ir.OperandWriteAddress:
		from[in.A] = 0
	case takes.A == ir.OperandWriteRow:
		for i := range uint32(in.N) {
			from[in.A+i] = note(inv.slots[in.A+i], 0, from[in.B+i])
		}
	case takes.A == ir.OperandWriteMany:
		for i := range in.C {
			from[in.A+i] = note(inv.slots[in.A+i], 0)
		}
	case takes.B == ir.OperandReadThree:
		from[in.A] = note(inv.slots[in.A], 0, from[in.B], from[in.B+1], from[in.B+2])
	case takes.C == ir.OperandRead:
		from[in.A] = note(inv.slots[in.A], 0, from[in.B], from[in.C])
	default:
		from[in.A] = note(inv.slots[in.A], 0, from[in.B])
	}
}

// nowhere is the address of a read out of bounds.
const nowhere = math.MaxUint32

// addressOf returns a deed's address for the word that an instruction accesses.
func (r *recorder) addressOf(inv *invocation, in ir.Instr, word uint32) uint32 {
	if in.Op == ir.OpLoadHalf || in.Op == ir.OpStoreHalf {
		return inv.slots[in.B] + in.C
	}
	return word * in.Op.Info().Memory.Unit()
}

// recordAtomic records an atomic function. Its sources are the atomic's earlier value and the
// operand.
func (r *recorder) recordAtomic(inv *invocation, in ir.Instr, note func(value, address uint32, deeds ...int32) int32) {
	memory, words, word := r.made.shared, r.shared, inv.slots[in.B]
	address := word
	if in.N&ir.AtomicInBuffer != 0 {
		memory, words, word = r.made.buffers, r.buffers, word>>2
	}
	if word >= uint32(len(memory)) {
		return
	}
	from := r.made.slots[inv.local]
	kind := in.N &^ ir.AtomicInBuffer
	before := memory[word]
	switch kind {
	case ir.AtomicLoad:
	case ir.AtomicStore, ir.AtomicExchange:
		memory[word] = note(words[word], address, from[in.C])
	case ir.AtomicCompareExchange:
		memory[word] = note(words[word], address, before, from[in.C+1])
	default:
		memory[word] = note(words[word], address, before, from[in.C])
	}
	if kind != ir.AtomicStore && kind < ir.AtomicStoreMax64 {
		from[in.A] = note(inv.slots[in.A], address, before)
	}
}

// explain returns the explanation of a deed, or nil if there is no deed.
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
	n := r.Notes[d.pc]
	in := r.Program.Code[d.pc]
	o := &Origin{Text: strings.TrimSuffix(r.Text(n.Span), ";"), Value: r.format(d), Times: 1, Place: r.placeIn(n.Span, r.groupID(d.group), d.local)}
	info := in.Op.Info()
	if info.ReadsOrWritesShared() && d.address == nowhere {
		return o // keep the source's text: b[i + 1]
	}
	if info.Shared() {
		o.Text = r.spotOf(d, in).Text
		if d.from[0] == 0 && info.Access == ir.Read && info.Memory == ir.InBuffers {
			o.Place = findings.Location{} // the host provided it
		}
	}
	links := []int32{made}
	if !info.ReadsOrWritesShared() {
		links = r.repeated(made)
	}
	if o.Times = len(links); o.Times > 1 {
		r.rounds(o, links, depth, left)
	} else {
		o.From = r.sources(made, 0, depth, left)
	}
	return o
}

// rounds adds the values and sources of the first rounds of a repeated step and of the last.
func (r *recorder) rounds(o *Origin, links []int32, depth int, left *int) {
	var values []string
	for i, link := range links {
		if i >= shader.ShownRounds && i < len(links)-1 {
			continue
		}
		d := &r.deeds[link]
		value := r.format(d)
		if i > shader.ShownRounds {
			value = "…, " + value
		}
		values = append(values, value)
		o.From = append(o.From, r.sources(link, i+1, depth, left)...)
	}
	o.Rounds = strings.Join(values, ", ")
}

// sources returns the origins of what a deed was made from. A round of a repeated step has a
// number, and leaves out the round before.
func (r *recorder) sources(made int32, round, depth int, left *int) (list []*Origin) {
	d := &r.deeds[made]
	for _, s := range d.from {
		if round > 0 && r.deeds[s].pc == d.pc {
			continue
		}
		if from := r.origin(s, depth-1, left); from != nil {
			from.Round = round
			list = append(list, from)
		}
	}
	return list
}

// repeated returns the chain of the same instruction that led to a deed, such as a sum in a loop,
// first round first.
func (r *recorder) repeated(made int32) (links []int32) {
	d := &r.deeds[made]
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
	slices.Reverse(links)
	return links
}

// format formats the value that a deed made.
func (r *recorder) format(d *deed) string { return ir.FormatBits(d.value, r.kindOf(d)) }

// kindOf returns the kind of the value that a deed made.
func (r *recorder) kindOf(d *deed) types.ScalarKind {
	in := r.Program.Code[d.pc]
	switch info := in.Op.Info(); {
	case info.Shared():
		return r.spotOf(d, in).Kind
	case info.Operands.A == ir.OperandWriteBool:
		return types.BoolKind
	case info.Of != ir.AnyKind:
		return info.Of
	}
	return ir.ResultKind(in, r.Notes[d.pc].Kind)
}

// spotOf returns the word of shared memory that a deed accessed.
func (r *recorder) spotOf(d *deed, in ir.Instr) ir.NamedWord {
	if where := in.Op.Info().Memory; where == ir.InBuffers || in.Op == ir.OpAtomic && in.N&ir.AtomicInBuffer != 0 {
		return r.bufferSpot(d.address)
	}
	return r.SharedSpot(d.address)
}
