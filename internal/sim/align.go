package sim

import (
	"cmp"
	"context"
	"github.com/wgslab/wgslab/internal/sim/ir"
	"math"
	"slices"
	"strings"

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

// writer returns the step that wrote a word last; 0 if none did.
func (r *profile) writer(w Word) int32 {
	for i, b := range r.Bindings {
		if b.Group == 0 && int(b.Number) == w.Binding {
			return r.made.buffers[int(r.regions[i].base>>2)+w.Index]
		}
	}
	return 0
}

// stores compares the stores of an invocation in both runs, and reports whether it found anything.
func (c *alignment) stores(inv uint32, because int32) bool {
	before := len(c.found)
	kind := uint32(0)
	if because != 0 {
		kind = c.here.steps[because].place >> 24
	}
	mine, due := c.here.storesOf(inv, kind), c.there.storesOf(inv, kind)
	for i := range min(len(mine), len(due)) {
		h, t := &c.here.steps[mine[i]], &c.there.steps[due[i]]
		if h.place != t.place || c.differ(h, h.value, t, t.value) {
			c.pair(mine[i], due[i], mine[i])
			return len(c.found) > before
		}
	}
	if len(mine) != len(due) {
		c.ways(inv, inv)
		if len(c.found) == before && len(mine) > len(due) {
			c.add(mine[len(due)], false)
		}
	}
	return len(c.found) > before
}

// storesOf returns the stores of an invocation to a binding, or to all buffers if the kind is 0.
func (r *profile) storesOf(inv, kind uint32) (found []int32) {
	if int(inv) >= len(r.of) {
		return nil
	}
	for _, at := range r.of[inv] {
		if s := &r.steps[at]; r.isStore(s) && (kind == 0 && s.place>>24 > 0 || s.place>>24 == kind || s.place == outside) {
			found = append(found, at)
		}
	}
	return found
}

// differ reports whether two values of the same thing are different.
func (c *alignment) differ(h *step, x uint32, t *step, y uint32) bool {
	if x == y {
		return false
	}
	if c.here.whole(h) || c.there.whole(t) {
		return true
	}
	return !close32(x, y)
}

// close32 reports whether two words are floats that differ only by rounding.
func close32(x, y uint32) bool {
	a, b := ir.F64(x), ir.F64(y)
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(a) && math.IsNaN(b)
	}
	largest := max(math.Abs(a), math.Abs(b))
	if largest < 1e-30 && largest > 0 {
		return false // rather whole numbers
	}
	return math.Abs(a-b) <= roundingTolerance*largest
}

// unlike reports whether two executions of the same thing differ.
func (c *alignment) unlike(h, t *step) bool {
	return c.differ(h, h.value, t, t.value) || c.here.isStore(h) && c.there.isStore(t) && h.place != t.place
}

// maxAligned limits the pairs that are compared for a word.
const maxAligned = 400

// pair compares two steps that should leave the same and don't. The user is the step here that the
// value is for.
func (c *alignment) pair(at, right, user int32) {
	if at == 0 || right == 0 || c.seen[[2]int32{at, right}] || len(c.seen) > maxAligned {
		return
	}
	c.seen[[2]int32{at, right}] = true
	h, t := &c.here.steps[at], &c.there.steps[right]
	if first, second := c.here.peeled(at), c.there.peeled(right); (first != at || second != right) && c.here.kind(&c.here.steps[first]) == c.there.kind(&c.there.steps[second]) {
		if first != at {
			user = c.here.lastMove(at)
		}
		c.pair(first, second, user)
		return
	}
	a, b := c.here.kind(h), c.there.kind(t)
	if user != at && (a != b || a == ir.OpMove) && !c.constant(h) && c.knows(at, t.inv) {
		before := len(c.found)
		if c.ways(h.inv, t.inv); len(c.found) == before {
			c.add(c.blamed(at, user, t.inv), true)
		}
		return
	}
	if a == b && a != ir.OpMove {
		first, second := c.earliest(at, right)
		if first == 0 {
			before := len(c.found)
			if c.ways(h.inv, t.inv); len(c.found) == before {
				c.operands(at, right)
			}
			return
		}
		at, right = first, second
		t = &c.there.steps[right]
	}
	switch {
	case a == ir.OpMove && b == ir.OpMove:
		c.operand(at, 0, right, 0)
	case b == ir.OpMove:
		if t.from[0] == 0 {
			c.alone(at, t.inv, user) // a constant is due
			return
		}
		c.pair(at, t.from[0], user)
	case a == ir.OpMove:
		c.moved(at, right, user)
	case a == b:
		c.operands(at, right)
	default:
		c.other(at, right, user)
	}
}

// peeled returns the step whose value a step copies, or the step itself. A copy of a constant or of
// a builtin value is a step of its own.
func (r *profile) peeled(at int32) int32 {
	for r.kind(&r.steps[at]) == ir.OpMove && r.steps[at].from[0] != 0 {
		at = r.steps[at].from[0]
	}
	return at
}

// lastMove returns the step that copies first what a step copies.
func (r *profile) lastMove(at int32) int32 {
	for next := r.steps[at].from[0]; r.kind(&r.steps[next]) == ir.OpMove && r.steps[next].from[0] != 0; next = r.steps[at].from[0] {
		at = next
	}
	return at
}

// constant reports whether a step copies a constant.
func (c *alignment) constant(h *step) bool {
	in := c.here.Program.Code[h.pc]
	return c.here.kind(h) == ir.OpMove && h.from[0] == 0 && (in.Op == ir.OpZero || ir.BuiltinOf(in.B) == "")
}

// blamed returns the step that is mistaken if a right value is used where another is due: the one
// that gives it to a variable whose values the right run doesn't have, or that no one uses rightly;
// or else the user.
func (c *alignment) blamed(at, user int32, inv uint32) int32 {
	h := &c.here.steps[at]
	if slot, ok := c.here.variableOf(h); ok && !c.assignedAlike(h, slot, inv) {
		return at
	}
	if c.here.kind(h) == ir.OpMove && !c.usedRightly(h, inv) {
		return at
	}
	return user
}

// variableOf returns the slot of the variable that a step assigns to.
func (r *profile) variableOf(s *step) (slot uint32, ok bool) {
	in := r.Program.Code[s.pc]
	if !in.Op.Info().OnlySets() {
		return 0, false
	}
	for _, v := range r.Variables {
		if v.Where == ir.InSlots && v.Slots == nil && slices.Contains(r.SlotsOf(v), in.A) {
			return in.A, true
		}
	}
	return 0, false
}

// assignments returns the steps of an invocation that set a slot.
func (r *profile) assignments(slot, inv uint32) (all []int32) {
	if int(inv) >= len(r.of) {
		return nil
	}
	for _, at := range r.of[inv] {
		if in := r.Program.Code[r.steps[at].pc]; in.A == slot && in.Op.Info().OnlySets() {
			all = append(all, at)
		}
	}
	return all
}

// assignedAlike reports whether a variable of the right run gets the same values.
func (c *alignment) assignedAlike(h *step, slot, inv uint32) bool {
	mine := c.here.assignments(slot, h.inv)
	for _, v := range c.there.Variables {
		if v.Where != ir.InSlots {
			continue
		}
		for _, other := range c.there.SlotsOf(v) {
			if due := c.there.assignments(other, inv); len(due) > 0 && c.begins(mine, due, len(mine)) {
				return true
			}
		}
	}
	return false
}

// usedRightly reports whether the right run has what another step makes of the result of a step.
func (c *alignment) usedRightly(h *step, inv uint32) bool {
	checked := map[uint32]bool{}
	for _, at := range c.here.of[h.inv] {
		s := &c.here.steps[at]
		info := c.here.Program.Code[s.pc].Op.Info()
		if checked[s.pc] || info.Operands.A == ir.OperandWriteAddress || c.here.isStore(s) {
			continue
		}
		for k, from := range s.from {
			if from == 0 || c.here.steps[from].pc != h.pc {
				continue
			}
			checked[s.pc] = true
			if info.Jumps() {
				partner, flipped, ok := c.closest(s.pc, s.inv, inv)
				if ok && c.sameWay(c.here.run(s.pc, s.inv), c.there.run(partner, inv), flipped) && c.conditionTakes(s, k, partner, inv) {
					return true
				}
			} else if c.knows(at, inv) {
				return true
			}
		}
	}
	return false
}

// conditionTakes reports whether the partner of a condition takes the value of an operand as well.
func (c *alignment) conditionTakes(s *step, k int, partner, inv uint32) bool {
	for _, at := range c.there.run(partner, inv) {
		t := &c.there.steps[at]
		return slices.Contains(t.took[:c.there.count(t)], s.took[k])
	}
	return false
}

// kind returns the operation of a step, the same for all that only copy.
func (r *profile) kind(s *step) ir.Opcode {
	switch op := r.Program.Code[s.pc].Op; op {
	case ir.OpMove, ir.OpMoveRow, ir.OpZero:
		return ir.OpMove
	default:
		return op
	}
}

// earliest returns the first executions of two instructions by the same invocations that differ; 0
// if all are alike as far as both go.
func (c *alignment) earliest(at, right int32) (first, second int32) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	mine, due := c.here.run(h.pc, h.inv), c.there.run(t.pc, t.inv)
	for i := range min(len(mine), len(due)) {
		if c.unlike(&c.here.steps[mine[i]], &c.there.steps[due[i]]) {
			return mine[i], due[i]
		}
	}
	return 0, 0
}

// moved compares a copy with a step that makes something new.
func (c *alignment) moved(at, right, user int32) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	if h.from[0] == 0 {
		before := len(c.found)
		switch c.ways(h.inv, t.inv); {
		case len(c.found) > before:
		case c.amongOperands(h, t):
			c.add(user, true) // what should be done with it is missing
		default:
			c.add(at, true)
		}
		return
	}
	if c.amongOperands(h, t) {
		c.add(at, true)
		return
	}
	c.pair(h.from[0], right, at)
}

// amongOperands reports whether the value of a step is one of those that another step takes.
func (c *alignment) amongOperands(h, t *step) bool {
	for k := range c.there.count(t) {
		if t.from[k] != 0 && !c.differ(h, h.value, t, t.took[k]) {
			return true
		}
	}
	return false
}

// count returns how many operands of a step are values.
func (r *profile) count(s *step) int {
	info := r.Program.Code[s.pc].Op.Info()
	switch {
	case info.Access == ir.Read:
		return 0
	case info.Access == ir.Write || info.Access == ir.Atomic:
		return 1
	case info.Operands.B == ir.OperandReadThree:
		return 3
	case r.Program.Code[s.pc].Op == ir.OpMoveIf, info.Jumps() && info.Operands.A == ir.OperandRead:
		return 2
	case info.Operands.B == ir.OperandRead && info.Operands.C == ir.OperandRead:
		return 2
	case info.Operands.B == ir.OperandRead || info.Operands.B == ir.OperandReadMany:
		return 1
	}
	return 0
}

// operand compares one operand of two steps.
func (c *alignment) operand(at int32, k int, right int32, l int) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	switch {
	case h.from[k] == 0 && c.otherBuiltin(h, k, t, l):
		c.builtin(at, k)
	case h.from[k] == 0:
		c.add(at, true)
	case t.from[l] == 0:
		c.alone(h.from[k], t.inv, at)
	default:
		c.pair(h.from[k], t.from[l], at)
	}
}

// operands compares two steps of the same operation.
func (c *alignment) operands(at, right int32) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	before := len(c.found)
	info := c.here.Program.Code[h.pc].Op.Info()
	if info.Access != 0 {
		c.accesses(at, right)
		return
	}
	n := c.here.count(h)
	order := c.order(h, t, n)
	for k := range n {
		if c.differ(h, h.took[k], t, t.took[order[k]]) {
			c.operand(at, k, right, order[k])
		}
	}
	if len(c.found) == before {
		c.add(at, false)
	}
}

// order returns which operand of the right step belongs to each of the other.
func (c *alignment) order(h, t *step, n int) [3]int {
	straight, swapped := [3]int{0, 1, 2}, [3]int{1, 0, 2}
	if n != 2 || !anyOrder[c.here.kind(h)] {
		return straight
	}
	fit := func(order [3]int) (values, kinds int) {
		for k := range n {
			l := order[k]
			if !c.differ(h, h.took[k], t, t.took[l]) {
				values++
			}
			switch mine, due := h.from[k], t.from[l]; {
			case (mine == 0) != (due == 0):
			case mine == 0 || c.here.kind(&c.here.steps[mine]) == c.there.kind(&c.there.steps[due]):
				kinds++
			}
		}
		return values, kinds
	}
	values, kinds := fit(straight)
	if v, k := fit(swapped); v > values || v == 0 && values == 0 && k > kinds {
		return swapped
	}
	return straight
}

// accesses compares two loads, two stores or two atomic functions.
func (c *alignment) accesses(at, right int32) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	if h.place != t.place {
		before := len(c.found)
		c.index(h.from[2], h.took[2], t.from[2], t.took[2], at, t.inv)
		if len(c.found) == before {
			c.add(at, true)
		}
		return
	}
	if c.here.isStore(h) {
		if c.differ(h, h.value, t, t.value) {
			c.operand(at, 0, right, 0)
		}
		return
	}
	switch {
	case h.wrote != 0 && t.wrote != 0:
		before := len(c.found)
		c.written(h.wrote, t.wrote)
		if len(c.found) == before {
			c.add(at, false)
		}
	case t.wrote != 0 && c.sameShape:
		if !c.sharedStores(c.there.steps[t.wrote].inv) {
			c.add(at, false)
		}
	case h.wrote != 0 && c.sameShape:
		if !c.sharedStores(c.here.steps[h.wrote].inv) {
			c.add(at, false)
		}
	default:
		c.add(at, false)
	}
}

// written compares the stores from which two loads get their values.
func (c *alignment) written(h, t int32) {
	if mine, due := &c.here.steps[h], &c.there.steps[t]; c.sameShape && mine.inv != due.inv {
		if c.sharedStores(due.inv) || c.sharedStores(mine.inv) {
			return
		}
	}
	c.pair(h, t, h)
}

// sharedStores compares the stores of an invocation to workgroup memory.
func (c *alignment) sharedStores(inv uint32) bool {
	before := len(c.found)
	mine, due := c.here.sharedOf(inv), c.there.sharedOf(inv)
	for i := range min(len(mine), len(due)) {
		if c.unlike(&c.here.steps[mine[i]], &c.there.steps[due[i]]) {
			c.pair(mine[i], due[i], mine[i])
			return len(c.found) > before
		}
	}
	if len(mine) != len(due) {
		c.ways(inv, inv)
	}
	return len(c.found) > before
}

func (r *profile) sharedOf(inv uint32) (found []int32) {
	if int(inv) >= len(r.of) {
		return nil
	}
	for _, at := range r.of[inv] {
		if s := &r.steps[at]; r.isStore(s) && s.place>>24 == 0 {
			found = append(found, at)
		}
	}
	return found
}

// index compares where two accesses get their addresses from. The steps between only multiply and
// add the layout.
func (c *alignment) index(h int32, x uint32, t int32, y uint32, user int32, inv uint32) {
	if h == 0 && t == 0 {
		return // constants, or builtin values
	}
	addressed := func(r *profile, at int32) bool {
		return at != 0 && r.Program.Code[r.steps[at].pc].Op.Info().Operands.A == ir.OperandWriteAddress
	}
	switch {
	case addressed(c.here, h) && addressed(c.there, t):
		mine, due := &c.here.steps[h], &c.there.steps[t]
		if c.seen[[2]int32{h, t}] {
			return
		}
		c.seen[[2]int32{h, t}] = true
		for k := range min(c.here.count(mine), c.there.count(due)) {
			if mine.took[k] != due.took[k] {
				c.index(mine.from[k], mine.took[k], due.from[k], due.took[k], user, inv)
			}
		}
	case addressed(c.here, h):
		c.index(c.here.steps[h].from[0], c.here.steps[h].took[0], t, y, user, inv)
	case addressed(c.there, t):
		c.index(h, x, c.there.steps[t].from[0], c.there.steps[t].took[0], user, inv)
	case x == y:
	case h == 0:
		c.add(user, true)
	case t == 0:
		c.alone(h, inv, user)
	default:
		c.pair(h, t, user)
	}
}

// other compares two steps of different operations.
func (c *alignment) other(at, right, user int32) {
	h, t := &c.here.steps[at], &c.there.steps[right]
	if c.amongOperands(h, t) {
		c.add(c.blamed(at, user, t.inv), true)
		return
	}
	// What the right step takes, and this one doesn't.
	var due []int
	for l := range c.there.count(t) {
		if !slices.ContainsFunc(h.took[:c.here.count(h)], func(x uint32) bool { return !c.differ(h, x, t, t.took[l]) }) {
			due = append(due, l)
		}
	}
	before, strange := len(c.found), 0
	for k := range c.here.count(h) {
		if h.from[k] == 0 || c.knows(h.from[k], t.inv) {
			continue
		}
		strange++
		switch {
		case len(due) == 1 && t.from[due[0]] != 0:
			c.pair(h.from[k], t.from[due[0]], at)
		case c.here.count(h) > c.there.count(t):
			c.pair(h.from[k], right, at)
		default:
			c.alone(h.from[k], t.inv, at)
		}
	}
	if info := c.here.Program.Code[h.pc].Op.Info(); info.Access == ir.Read {
		c.alone(at, t.inv, user)
	}
	if len(c.found) == before {
		c.add(at, strange == 0)
	}
}

// knows reports whether the right run has an instruction with the values of the one here: in all
// invocations if they have the same numbers in both runs, or else in the given one.
func (c *alignment) knows(at int32, inv uint32) bool {
	h := &c.here.steps[at]
	if known, ok := c.known[h.pc]; ok && c.sameShape {
		return known
	}
	known := false
	for pc := range uint32(c.there.width) {
		if c.there.executed(pc) && c.sameValues(h, pc, inv) {
			known = true
			break
		}
	}
	c.known[h.pc] = known
	return known
}

// sameValues reports whether an instruction of the right run has the values of the one of a step,
// as far as both run.
func (c *alignment) sameValues(h *step, pc, inv uint32) bool {
	if !c.sameShape {
		return c.begins(c.here.run(h.pc, h.inv), c.there.run(pc, inv), int(h.nth))
	}
	both := false
	for i := range c.here.of {
		mine, due := c.here.run(h.pc, uint32(i)), c.there.run(pc, uint32(i))
		if !c.begins(mine, due, 0) {
			return false
		}
		both = both || len(mine) > 0 && len(due) > 0
	}
	return both
}

// begins reports whether two runs of an instruction begin alike, and both come to a round.
func (c *alignment) begins(mine, due []int32, round int) bool {
	for i := range min(len(mine), len(due)) {
		if h, t := &c.here.steps[mine[i]], &c.there.steps[due[i]]; c.differ(h, h.value, t, t.value) {
			return false
		}
	}
	return len(due) >= min(round, len(mine))
}

// alone follows what the right run doesn't have back to the first step that takes only what it has.
func (c *alignment) alone(at int32, inv uint32, user int32) {
	if c.seen[[2]int32{at, 0}] || len(c.seen) > maxAligned {
		return
	}
	c.seen[[2]int32{at, 0}] = true
	h := &c.here.steps[at]
	if c.knows(at, inv) {
		c.add(user, false)
		return
	}
	before := len(c.found)
	follow := func(from int32) {
		if from != 0 && !c.knows(from, inv) {
			c.alone(from, inv, at)
		}
	}
	for k := range c.here.count(h) {
		follow(h.from[k])
	}
	if c.here.Program.Code[h.pc].Op.Info().Access != 0 {
		follow(h.from[2])
		if h.wrote != 0 {
			follow(h.wrote)
		}
	}
	if len(c.found) == before {
		c.add(at, false)
	}
}

// add adds a suspect.
func (c *alignment) add(at int32, sure bool) {
	if at != 0 {
		c.found = append(c.found, suspected{at: at, word: c.word, sure: sure})
	}
}

// otherBuiltin reports whether two operands are of different builtin values.
func (c *alignment) otherBuiltin(h *step, k int, t *step, l int) bool {
	mine, due := ir.BuiltinOf(c.here.operandSlot(h, k)), ir.BuiltinOf(c.there.operandSlot(t, l))
	return t.from[l] == 0 && mine != "" && due != "" && mine != due
}

// operandSlot returns the slot of an operand of a step.
func (r *profile) operandSlot(s *step, k int) uint32 {
	in := r.Program.Code[s.pc]
	info := in.Op.Info()
	switch {
	case info.Access == ir.Write, info.Jumps() && info.Operands.A == ir.OperandRead && k == 0:
		return in.A
	case info.Jumps() && info.Operands.A == ir.OperandRead:
		return in.B
	case info.Access == ir.Atomic || k == 1:
		return in.C
	}
	return in.B + uint32(k)
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
			all = append(all, &place{Suspect: Suspect{Place: region, Text: text}, first: pc, words: map[int]bool{}})
		}
		all[i].words[s.word] = true
		all[i].Sure = all[i].Sure || s.sure
		all[i].first = min(all[i].first, pc)
	}
	slices.SortStableFunc(all, func(a, b *place) int {
		return cmp.Or(cmp.Compare(len(b.words), len(a.words)), -compareBool(a.Sure, b.Sure), cmp.Compare(a.first, b.first))
	})
	var list []Suspect
	for _, p := range all {
		p.Votes = len(p.words)
		list = append(list, p.Suspect)
	}
	return list
}

// compareBool compares two values of which false is the smaller one.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
