package sim

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// Recognised returns the steps of this program that make a known mistake. The mistaken program
// makes it and leaves the same results. Of its instructions, some have values that no instruction
// of the right programs has. Those on the lines where its text differs come first, then the first
// ones in data flow. Recognised returns the steps of this program with the same values, in this
// order; none if it comes to the results in another way. The mistake is calculated if one of these
// instructions calculates a value: another mistake is only what the program leaves out or stores.
// It returns ErrTooManySteps for long runs.
func (p *Program) Recognised(ctx context.Context, workgroups [3]uint32, mistaken Dispatched, lines map[int]bool, right []Dispatched, buffers []BoundBuffer) (found []Suspect, calculated bool, err error) {
	here, err := p.profiled(ctx, Dispatched{p, workgroups}, buffers, maxProfiled)
	if err != nil {
		return nil, false, err
	}
	wrong, err := mistaken.profiled(ctx, mistaken, buffers, maxProfiled)
	if err != nil {
		return nil, false, err
	}
	known := map[uint64]bool{}
	for _, other := range right {
		if r, err := other.profiled(ctx, other, buffers, maxProfiled); err == nil {
			for _, h := range r.tellingHistories() {
				known[h] = true
			}
		}
	}
	if len(known) == 0 {
		return nil, false, ErrTooManySteps
	}
	mine, theirs := here.tellingHistories(), wrong.tellingHistories()
	for _, pc := range wrong.roots(theirs, known, lines) {
		calculated = calculated || wrong.calculates(uint32(pc))
		for _, own := range here.inOrder() {
			if mine[own] == theirs[pc] {
				own = here.rootOf(own, mine, known)
				span := here.Notes[own].Span
				found = append(found, Suspect{Place: here.Source.Region(span), Text: strings.TrimSuffix(here.Text(span), ";"), Votes: 1, Sure: true})
				break
			}
		}
	}
	return found, calculated, nil
}

// calculates reports whether an instruction makes a value of others: it doesn't load, store or
// jump.
func (r *profile) calculates(pc uint32) bool {
	info := r.Program.Code[pc].Op.Info()
	return !info.Jumps() && info.Access == 0 && slices.ContainsFunc(r.steps[1:], func(s step) bool {
		return s.pc == pc && s.from != [len(s.from)]int32{}
	})
}

// tellingHistories returns a hash of the values that each instruction has in its invocations, 0 if
// none ran it. A value that comes again at once counts once, since a loop may make it in each
// round. Floats and whole numbers have different hashes, and so have conditions, loads and stores.
func (r *profile) tellingHistories() []uint64 {
	all, now := make([]uint64, r.width), make([]uint64, r.width)
	last := make([]uint32, r.width)
	for inv, steps := range r.of {
		var used []uint32
		for _, at := range steps {
			s := &r.steps[at]
			value := s.value
			if !r.whole(s) {
				value = math.Float32bits(float32(asExtreme(ir.F64(value))))
			}
			if r.isStore(s) {
				value ^= s.place * 0x9e3779b1
			}
			switch {
			case s.nth == 0:
				used = append(used, s.pc)
				now[s.pc] = uint64(inv)*0x9e3779b97f4a7c15 + r.sort(s.pc)
			case last[s.pc] == value:
				continue
			}
			last[s.pc] = value
			now[s.pc] = (now[s.pc] ^ uint64(value)) * 0x100000001b3
		}
		for _, pc := range used {
			all[pc] += now[pc] ^ now[pc]>>29
		}
	}
	return all
}

// sort is a number for each sort of instruction.
func (r *profile) sort(pc uint32) uint64 {
	info, sort := r.Program.Code[pc].Op.Info(), uint64(1)
	if info.Jumps() {
		sort = 2
	} else if info.Access != 0 {
		sort = 3 + uint64(info.Access)
	}
	if r.Notes[pc].Float {
		sort += 16
	}
	return sort
}

// inOrder returns the instructions that ran, in the order in which an invocation first came to
// them.
func (r *profile) inOrder() []int {
	first := map[int]int32{}
	for at := range r.steps[1:] {
		if pc := int(r.steps[at+1].pc); first[pc] == 0 {
			first[pc] = int32(at + 1)
		}
	}
	var all []int
	for pc := range first {
		all = append(all, pc)
	}
	slices.SortFunc(all, func(a, b int) int { return cmp.Compare(first[a], first[b]) })
	return all
}

// rootOf follows the first execution of an instruction back to the first whose values are not
// known.
func (r *profile) rootOf(pc int, histories []uint64, known map[uint64]bool) int {
	at := 1 + int32(slices.IndexFunc(r.steps[1:], func(s step) bool { return s.pc == uint32(pc) }))
	for again := true; again; {
		again = false
		s := &r.steps[at]
		for _, from := range s.from {
			if from != 0 && r.steps[from].pc != s.pc && !known[histories[r.steps[from].pc]] {
				at, again = from, true
				break
			}
		}
	}
	return int(r.steps[at].pc)
}

// roots returns the instructions whose values are not known: first those on the given lines, then
// those which take only known ones. A condition comes after what it compares.
func (r *profile) roots(histories []uint64, known map[uint64]bool, lines map[int]bool) (all []int) {
	strange := func(pc uint32) bool { return !known[histories[pc]] }
	tainted := map[uint32]bool{}
	for i := range r.steps[1:] {
		s := &r.steps[i+1]
		if s.nth > 0 {
			continue // in a later round, what it takes may come from its own mistake
		}
		for _, from := range append(s.from[:], s.wrote) {
			if from != 0 && strange(r.steps[from].pc) && r.steps[from].pc != s.pc {
				tainted[s.pc] = true
			}
		}
	}
	var behind []int
	for _, pc := range r.inOrder() {
		switch {
		case !strange(uint32(pc)):
		case lines[r.Source.Position(r.Notes[pc].Span.Start).Line]:
			all = append(all, pc)
		case !tainted[uint32(pc)]:
			behind = append(behind, pc)
		}
	}
	return append(all, behind...)
}
