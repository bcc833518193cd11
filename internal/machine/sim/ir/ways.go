package ir

import "slices"

// outside stands for whatever follows a round or a call: the next round, or the code after it.
const outside = ^uint32(0)

// ways are those from a condition to where they meet again.
type ways struct {
	writes places   // what they may write
	meet   []uint32 // the blocks that follow
}

// findWays finds the ways from each condition of the loop: through the blocks of its own function,
// and all of the functions that they call. A condition on whose ways an invocation may leave the
// loop, or wait for others, decides.
func (d *Deciding) findWays() {
	next := map[uint32][]uint32{}
	for _, at := range d.leaders {
		next[at] = d.goesTo(d.end(at) - 1)
	}
	after := d.surelyAfter(next)
	for i, at := range d.leaders {
		pc := d.end(at) - 1
		if !d.program.Code[pc].Op.Info().Jumps() {
			continue
		}
		blocks, meet := d.blocksFrom(next, at, after[i])
		if d.leavesOrWaits(at) || slices.ContainsFunc(blocks, d.leavesOrWaits) {
			d.conditions[pc] = true
			continue
		}
		w := ways{d.none(), meet}
		for _, block := range blocks {
			d.written(block, w.writes)
		}
		d.ways[pc] = w
	}
}

// written adds what a block may write.
func (d *Deciding) written(at uint32, to places) {
	for pc := at; pc < d.end(at); pc++ {
		_, writes := d.uses(pc)
		for _, slot := range writes {
			to.add(slot)
		}
		if access := d.program.Code[pc].Op.Info().Access; access == Write || access == Atomic {
			d.touched(pc, to.add)
		}
	}
}

// goesTo returns the blocks after the last instruction of a block, in its function and round. A
// call goes on after it.
func (d *Deciding) goesTo(last uint32) []uint32 {
	switch in := &d.program.Code[last]; in.Op {
	case OpReturn, OpEnd:
		return []uint32{outside}
	case OpCall:
		return []uint32{last + 1}
	}
	next := d.program.following(last)
	for i, to := range next {
		if to == d.loop.Head || !d.loop.Holds(to) {
			next[i] = outside
		}
	}
	return next
}

// surelyAfter returns, for each block, the blocks that every way from it takes, itself included: a
// set of indexes of leaders.
func (d *Deciding) surelyAfter(next map[uint32][]uint32) []places {
	words := (len(d.leaders) + 63) / 64
	index := map[uint32]int{}
	after := make([]places, len(d.leaders))
	for i, at := range d.leaders {
		index[at], after[i] = i, make(places, words)
		for w := range after[i] {
			after[i][w] = ^uint64(0)
		}
	}
	for again := true; again; {
		again = false
		for i, at := range slices.Backward(d.leaders) {
			now := slices.Clone(after[i])
			for _, to := range next[at] {
				for w := range now {
					if to == outside {
						now[w] = 0
					} else {
						now[w] &= after[index[to]][w]
					}
				}
			}
			now.add(uint32(i))
			if !slices.Equal(now, after[i]) {
				after[i], again = now, true
			}
		}
	}
	return after
}

// blocksFrom returns the blocks that may run after a block until one that surely runs, and what
// follows them.
func (d *Deciding) blocksFrom(next map[uint32][]uint32, from uint32, surely places) (blocks, meet []uint32) {
	seen := map[uint32]bool{outside: true}
	for open := slices.Clone(next[from]); len(open) > 0; {
		at := open[0]
		open = open[1:]
		if seen[at] {
			continue
		}
		seen[at] = true
		if i, _ := slices.BinarySearch(d.leaders, at); at != from && surely.has(uint32(i)) {
			meet = append(meet, at)
			continue
		}
		blocks, open = append(blocks, at), append(open, next[at]...)
		if last := &d.program.Code[d.end(at)-1]; last.Op == OpCall {
			open = append(open, last.C)
		}
	}
	if len(meet) > 0 {
		return blocks, meet
	}
	for _, at := range append(blocks, from) { // they meet in the next round, or after a call
		if slices.Contains(next[at], outside) {
			meet = append(meet, d.program.following(d.end(at)-1)...)
		}
	}
	return blocks, meet
}

// leavesOrWaits reports whether an invocation may leave the loop from a block, or wait there.
func (d *Deciding) leavesOrWaits(at uint32) bool {
	last := d.end(at) - 1
	for pc := at; pc <= last; pc++ {
		if op := d.program.Code[pc].Op; op == OpEnd || op == OpBarrier || op == OpSubgroup {
			return true
		}
	}
	switch d.program.Code[last].Op {
	case OpReturn:
		return d.loop.code[0].has(last) // and not of a function that the loop calls
	case OpCall:
		return false
	}
	return slices.ContainsFunc(d.program.following(last), func(to uint32) bool { return !d.loop.Holds(to) })
}

// findConditions adds the conditions that decide because their ways change a value that does, where
// they meet. It reports whether there are more than before.
func (d *Deciding) findConditions() (more bool) {
	for pc, w := range d.ways {
		if d.conditions[pc] {
			continue
		}
		for _, at := range w.meet {
			if d.at[at] != nil && w.writes.meets(d.at[at]) {
				d.conditions[pc], more = true, true
			}
		}
	}
	return more
}
