package sim

import (
	"fmt"
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// rounds is how often a loop that does not end goes round again, to see what changes.
const rounds = 64

// stuck tells where an invocation goes round and round, and what it waits for in vain.
func (w *watcher) stuck(m *machine, inv *invocation) {
	w.muted = false
	steps := m.steps
	outer, changes := m.goRound(inv)
	finding := shader.Finding{
		Kind: StepLimit, Severity: shader.SeverityError, Place: m.place(outer, inv.local), Index: -1, Length: -1,
	}
	text := fmt.Sprintf("the shader had not ended after %s steps: %s still goes round the loop on line %d",
		inWords(steps), m.invocationOf(inv.local), finding.Place.Line)
	if names := m.conditionNames(outer); len(names) == 0 {
		text += "; nothing in the loop lets it end"
	} else {
		text += "; " + m.describeWaiting(inv, names, changes)
	}
	if others := m.describeOthers(inv); others != "" {
		text += "; " + others
	}
	finding.Message = text
	w.count[StepLimit]++
	w.tell(finding)
}

// inWords is a large number as one reads it.
func inWords(n uint64) string {
	if n >= 1e6 {
		return fmt.Sprintf("%d million", n/1e6)
	}
	return fmt.Sprint(n)
}

// goRound runs an invocation some rounds further and gives the outermost loop that it went round, and the slots that
// changed meanwhile.
func (m *machine) goRound(inv *invocation) (outer uint32, changes map[uint32]bool) {
	loops := map[uint32][]uint32{} // by the instruction that the loop begins with: the slots at the last round
	changes = map[uint32]bool{}
	outer = m.loopTo(inv.pc)
	widest := m.notes[outer].span
	for range rounds * 4 {
		m.budget = m.steps
		if inv.state = m.exec(inv); inv.state != exhausted {
			break
		}
		at := m.loopTo(inv.pc)
		for slot, before := range loops[inv.pc] {
			if before != inv.slots[slot] {
				changes[uint32(slot)] = true
			}
		}
		loops[inv.pc] = append(loops[inv.pc][:0], inv.slots...)
		if s := m.notes[at].span; s.Contains(widest) {
			widest, outer = s, at
		}
	}
	inv.state = exhausted
	return outer, changes
}

// loopTo is the opLoop that goes to an instruction.
func (m *machine) loopTo(target uint32) uint32 {
	for i, in := range m.code {
		if in.op == opLoop && in.c == target {
			return uint32(i)
		}
	}
	return target
}

// conditionNames are the variables on which the end of a loop depends.
func (m *machine) conditionNames(at uint32) []*types.Object {
	found := map[*types.Object]bool{}
	names := func(x syntax.Expr) {
		if x == nil {
			return
		}
		syntax.Walk(x, func(n syntax.Node) bool {
			if id, ok := n.(*syntax.IdentExpr); ok {
				if o := m.Pipeline.Info.Uses[id]; o != nil && (o.Kind == types.VarObject || o.Kind == types.LetObject || o.Kind == types.ParamObject) {
					found[o] = true
				}
			}
			return true
		}, nil)
	}
	loop := m.notes[at].span
	syntax.Walk(m.Pipeline.Info.File, func(n syntax.Node) bool {
		if !loop.Contains(n.Span()) {
			return n.Span().Contains(loop)
		}
		switch n := n.(type) {
		case *syntax.LoopStmt:
			return n.Span() == loop // what ends an inner loop does not end this one
		case *syntax.ForStmt:
			if n.Span() != loop {
				return false
			}
			names(n.Cond)
		case *syntax.WhileStmt:
			if n.Span() != loop {
				return false
			}
			names(n.Cond)
		case *syntax.BreakIfStmt:
			names(n.Cond)
		case *syntax.IfStmt:
			if leaves(n) {
				names(n.Cond)
			}
		}
		return true
	}, nil)
	list := make([]*types.Object, 0, len(found))
	for o := range found {
		list = append(list, o)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Span().Start < list[j].Span().Start })
	return list
}

// leaves reports whether an if statement may leave a loop.
func leaves(s *syntax.IfStmt) (found bool) {
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.BreakStmt, *syntax.ReturnStmt:
			found = true
		}
		return !found
	}, nil)
	return found
}

// describeWaiting says what the variables of the loop's condition are, and which of them do not change.
func (m *machine) describeWaiting(inv *invocation, names []*types.Object, changes map[uint32]bool) string {
	var still, moving []string
	for _, o := range names {
		slots := m.slotsOf(o)
		if len(slots) != 1 {
			continue
		}
		value := fmt.Sprintf("`%s` (%s)", o.Name, formatBits(inv.slots[slots[0]], kindOf(o.Store())))
		if changes[slots[0]] {
			moving = append(moving, value)
		} else {
			still = append(still, value)
		}
	}
	var parts []string
	if len(still) > 0 {
		parts = append(parts, strings.Join(still, " and ")+" no longer "+plural(len(still), "changes", "change"))
	}
	if len(moving) > 0 {
		parts = append(parts, strings.Join(moving, " and ")+plural(len(moving), " still changes", " still change"))
	}
	if len(parts) == 0 {
		return "its condition stays as it is"
	}
	return strings.Join(parts, ", ")
}

// slotsOf is where a scalar variable, let or parameter stands.
func (m *machine) slotsOf(o *types.Object) []uint32 {
	for _, v := range m.variables {
		if v.object != o || v.where != inSlots {
			continue
		}
		if v.slots != nil {
			return v.slots
		}
		return rowFrom(v.base, m.flatWords(o.Store()))
	}
	return nil
}

// describeOthers says where the rest of the workgroup is.
func (m *machine) describeOthers(stuck *invocation) string {
	if len(m.invs) == 1 {
		return ""
	}
	waits, done := 0, 0
	line := 0
	for i := range m.invs {
		inv := &m.invs[i]
		switch {
		case inv == stuck:
		case inv.state == waiting:
			waits++
			line = m.place(inv.pc-1, inv.local).Line
		case inv.state == ended:
			done++
		}
	}
	var parts []string
	if waits > 0 {
		parts = append(parts, fmt.Sprintf("%d %s at the barrier on line %d", waits, plural(waits, "waits", "wait"), line))
	}
	if done > 0 {
		parts = append(parts, fmt.Sprintf("%d %s ended", done, plural(done, "has", "have")))
	}
	if rest := len(m.invs) - 1 - waits - done; rest > 0 {
		parts = append(parts, fmt.Sprintf("%d had not begun this part", rest))
	}
	return "of the others in its workgroup " + strings.Join(parts, ", ")
}
