package sim

// How a place is found by comparing two runs. Both write down their steps: what went into each and
// what came out. A wrong word is followed back from its store, beside the word of a right run: as
// long as both steps do the same, their operands are compared (align_pairs.go), through memory as
// well (align_memory.go). Where they don't, a step is searched for whose values the right run has
// too (align_known.go). The step that takes right values and leaves a wrong one is a suspect. The
// more wrong words lead to it, the likelier it is the mistake.

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Dispatched is a program with its number of workgroups.
type Dispatched struct {
	*Program
	Workgroups [3]uint32
}

// A Suspect is the step of a run at which it departs from a right program's run, followed from a
// wrong word: what goes into the step is as it should be, and what comes out isn't.
type Suspect struct {
	Place findings.Region
	Text  string // its source
	Votes int    // of the words that lead to it
	Sure  bool   // the right program has the same step with another operand or result
}

// maxProfiled is the maximum number of steps in a run that is compared.
const maxProfiled = 1 << 17

// Suspects runs this program and right ones on the same buffers. It compares the run with the most
// alike of them, from the given wrong words on, and returns the suspects, the most likely first.
// It returns ErrTooManySteps for long runs.
func (p *Program) Suspects(ctx context.Context, workgroups [3]uint32, right []Dispatched, buffers []BoundBuffer, words []Word) ([]Suspect, error) {
	here, err := p.profiled(ctx, Dispatched{p, workgroups}, buffers, maxProfiled)
	if err != nil {
		return nil, err
	}
	known := here.histories()
	var there *profile
	most := -1
	for _, other := range right {
		candidate, err := other.profiled(ctx, other, buffers, maxProfiled)
		if err != nil {
			continue
		}
		if alike := alike(known, candidate.histories()); alike > most {
			there, most = candidate, alike
		}
	}
	if there == nil {
		return nil, ErrTooManySteps
	}
	c := &alignment{known: map[uint32]bool{}, agreed: map[[2]uint32]agreement{}, here: here, there: there, sameShape: here.Pipeline.WorkgroupSize == there.Pipeline.WorkgroupSize && here.count3 == there.count3}
	for _, w := range words {
		c.explain(w)
	}
	if len(words) == 0 && c.sameShape {
		c.everyone()
		c.found = slices.DeleteFunc(c.found, func(s suspected) bool { return !s.sure })
	}
	return c.suspects(), nil
}

// histories returns a hash of the values of each instruction over all invocations.
func (r *profile) histories() map[uint64]int {
	if len(r.of) == 0 {
		return nil
	}
	all := make([]uint64, r.width)
	now := make([]uint64, r.width)
	used := make([]uint32, 0, r.width)
	for inv, steps := range r.of {
		used = used[:0]
		for _, at := range steps {
			s := &r.steps[at]
			if s.nth == 0 {
				used = append(used, s.pc)
				now[s.pc] = uint64(inv)*0x9e3779b97f4a7c15 + 1
			}
			now[s.pc] = (now[s.pc] ^ uint64(s.value)) * 0x100000001b3
			if r.isStore(s) {
				now[s.pc] = (now[s.pc] ^ uint64(s.place)) * 0x100000001b3
			}
		}
		for _, pc := range used {
			all[pc] += now[pc] ^ now[pc]>>29
		}
	}
	hashes := map[uint64]int{}
	for _, h := range all {
		if h != 0 {
			hashes[h]++
		}
	}
	return hashes
}

// alike counts the histories of a that b has as well, and takes off a little for those that only b
// has.
func alike(a, b map[uint64]int) int {
	n := 0
	for h, times := range a {
		n += 4 * min(times, b[h])
	}
	for h, times := range b {
		n -= times - min(times, a[h])
	}
	return max(n, 0)
}

// An alignment follows wrong words of one run beside another, right one.
type alignment struct {
	here, there *profile
	sameShape   bool // an invocation has the same number in both
	seen        map[[2]int32]bool
	agreed      map[[2]uint32]agreement // by condition here and there
	known       map[uint32]bool         // by instruction here: the right run has its values
	found       []suspected
	word        int
}

type suspected struct {
	at   int32 // the step here
	slot int   // 1 + the slot of a builtin value that is taken instead of another one; 0 for none
	word int
	sure bool
}

// explain follows one word.
func (c *alignment) explain(w Word) {
	c.seen = map[[2]int32]bool{}
	c.word++
	h, t := c.here.writer(w), c.there.writer(w)
	switch {
	case h == 0 && t == 0:
	case t == 0:
		c.stores(c.here.steps[h].inv, h)
	case c.sameShape && h != 0 && c.here.steps[h].inv != c.there.steps[t].inv:
		if !c.stores(c.there.steps[t].inv, h) {
			c.stores(c.here.steps[h].inv, h)
		}
	case h == 0 && c.sameShape:
		c.stores(c.there.steps[t].inv, 0)
	case h == 0:
		c.ways(0, c.there.steps[t].inv)
	default:
		c.pair(h, t, h)
	}
}

// mostCompared limits the invocations that are compared one by one.
const mostCompared = 512

// everyone compares the ways and the stores of all invocations.
func (c *alignment) everyone() {
	for inv := range uint32(min(len(c.here.of), mostCompared)) {
		c.word++
		c.seen = map[[2]int32]bool{}
		before := len(c.found)
		if c.ways(inv, inv); len(c.found) == before {
			c.stores(inv, 0)
		}
	}
}

// add adds a suspect.
func (c *alignment) add(at int32, sure bool) {
	if at != 0 {
		c.found = append(c.found, suspected{at: at, word: c.word, sure: sure})
	}
}

// builtin adds the place where the entry point asks for a builtin value.
func (c *alignment) builtin(at int32, k int) {
	slot := c.here.operandSlot(&c.here.steps[at], k)
	c.found = append(c.found, suspected{at: at, slot: 1 + int(slot), word: c.word, sure: true})
}

// asked returns where the source asks for the builtin value in a slot.
func (r *profile) asked(slot uint32) (at syntax.Span, ok bool) {
	attribute := "@builtin(" + ir.BuiltinOf(slot) + ")"
	i := strings.Index(r.Source.Text, attribute)
	return syntax.Span{Start: int32(i), End: int32(i + len(attribute))}, i >= 0
}

// suspects counts for how many words each place was found, and orders them: the more words the
// better, and the earlier in the run.
func (c *alignment) suspects() []Suspect {
	type place struct {
		Suspect
		first uint32 // its first instruction
		words map[int]bool
		doubt int // 0 if it is sure
	}
	var all []*place
	for _, s := range c.found {
		h := &c.here.steps[s.at]
		span, pc := c.here.Notes[h.pc].Span, h.pc
		if asked, ok := c.here.asked(uint32(s.slot - 1)); s.slot > 0 && ok {
			span, pc = asked, 0
		}
		region := c.here.Source.Region(span)
		i := slices.IndexFunc(all, func(p *place) bool { return p.Place == region })
		if i < 0 {
			i = len(all)
			text := strings.TrimSuffix(c.here.Text(span), ";")
			all = append(all, &place{Suspect: Suspect{Place: region, Text: text}, first: pc, words: map[int]bool{}, doubt: 1})
		}
		all[i].words[s.word] = true
		if s.sure {
			all[i].Sure, all[i].doubt = true, 0
		}
		all[i].first = min(all[i].first, pc)
	}
	slices.SortStableFunc(all, func(a, b *place) int {
		return cmp.Or(cmp.Compare(len(b.words), len(a.words)), cmp.Compare(a.doubt, b.doubt), cmp.Compare(a.first, b.first))
	})
	var list []Suspect
	for _, p := range all {
		p.Votes = len(p.words)
		list = append(list, p.Suspect)
	}
	return list
}
