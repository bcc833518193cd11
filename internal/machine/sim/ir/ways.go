package ir

import "slices"

// outside stands for whatever follows a round or a call: the next round, or the code after it.
const outside = ^uint32(0)

// findWays finds the blocks between each condition of the loop and where its ways meet again: those
// of its own function, and all of the functions that they call. A condition on whose ways an
// invocation may leave the loop, or wait for others, decides.
func (d *Deciding) findWays() {
	next := map[uint32][]uint32{}
	for _, at := range d.leaders {
		next[at] = d.goesTo(d.end(at) - 1)
	}
	after := d.surelyAfter(next)
	d.between = map[uint32][]uint32{}
	for i, at := range d.leaders {
		pc := d.end(at) - 1
		if !d.program.Code[pc].Op.Info().Jumps() {
			continue
		}
		ways := d.waysFrom(next, at, after[i])
		d.between[pc] = ways
		d.deciding[pc] = d.leavesOrWaits(at) || slices.ContainsFunc(ways, d.leavesOrWaits)
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

// waysFrom returns the blocks that may run after a block until one that surely runs.
func (d *Deciding) waysFrom(next map[uint32][]uint32, from uint32, surely places) (ways []uint32) {
	for open := slices.Clone(next[from]); len(open) > 0; {
		at := open[0]
		open = open[1:]
		if at == outside || slices.Contains(ways, at) {
			continue
		}
		if i, _ := slices.BinarySearch(d.leaders, at); at != from && surely.has(uint32(i)) {
			continue
		}
		ways, open = append(ways, at), append(open, next[at]...)
		if last := &d.program.Code[d.end(at)-1]; last.Op == OpCall {
			open = append(open, last.C)
		}
	}
	return ways
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

// findConditions adds the conditions that decide because something on their ways matters. It
// reports whether there are more than before.
func (d *Deciding) findConditions() (more bool) {
	for pc, ways := range d.between {
		if !d.deciding[pc] && slices.ContainsFunc(ways, d.matters) {
			d.deciding[pc], more = true, true
		}
	}
	return more
}

// matters reports whether a block changes what decides, or ends with a condition that does. Where a
// call returns to decides nothing: the ways meet after it.
func (d *Deciding) matters(at uint32) bool {
	for pc := at; pc < d.end(at); pc++ {
		if op := d.program.Code[pc].Op; d.deciding[pc] && op != OpReturn && op != OpCall {
			return true
		}
	}
	return false
}
