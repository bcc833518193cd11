package sim

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/english"
	"github.com/wgslab/wgslab/internal/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// rounds is the number of further rounds of an endless loop that the machine runs to see what
// changes.
const rounds = 64

// further is how many steps to the next loop may take.
const further = 1 << 20

// stuck reports the loop that an invocation cannot leave, and the condition that it waits for. If
// the invocation is in no loop, its calls took the steps.
func (w *watcher) stuck(m *machine, inv *invocation) {
	if w.trial {
		return
	}
	w.muted = false
	steps := m.steps
	if inv.state == calling && !m.toLoop(inv, steps+further) {
		w.stuckInCalls(m, inv, steps)
		return
	}
	outer, changes := m.goRound(inv)
	finding := findings.Finding{
		Kind: findings.StepLimit, Severity: findings.Error, Location: m.place(outer, inv.local),
	}
	text := fmt.Sprintf("the shader was still running after %s steps: %s is in the loop on line %d",
		inWords(steps), m.invocationOf(inv.local), finding.Location.Line)
	if names := m.conditionNames(outer); len(names) == 0 {
		text += "; nothing in the loop can end it"
	} else {
		text += "; " + m.describeWaiting(inv, names, changes)
	}
	if others := m.describeOthers(inv); others != "" {
		text += "; " + others
	}
	finding.Message = text
	w.count[findings.StepLimit]++
	w.tell(finding)
}

// stuckInCalls reports functions that call each other more often than anybody waits for.
func (w *watcher) stuckInCalls(m *machine, inv *invocation, steps uint64) {
	at := m.place(inv.pc, inv.local)
	text := fmt.Sprintf("the shader was still running after %s steps: %s is in ", inWords(steps), m.invocationOf(inv.local))
	if f := m.FunctionAt(inv.pc); f != nil {
		text += "`" + f.Object.Name + "`, "
	}
	w.count[findings.StepLimit]++
	w.tell(findings.Finding{
		Kind: findings.StepLimit, Severity: findings.Error, Location: at,
		Message: text + "and no loop; functions that call others twice double the work each time",
	})
}

// toLoop runs an invocation on to the begin of its next loop. It reports false if none comes before
// the machine has taken the given steps.
func (m *machine) toLoop(inv *invocation, end uint64) bool {
	for m.steps < end {
		m.budget = m.steps
		if inv.state = m.exec(inv); inv.state != calling {
			break
		}
	}
	return inv.state == exhausted
}

// inWords formats a large number for people.
func inWords(n uint64) string {
	if n >= 1e6 {
		return fmt.Sprintf("%d million", n/1e6)
	}
	return fmt.Sprint(n)
}

// goRound runs an invocation for more rounds. It returns the outermost loop that the invocation
// repeated and the slots that changed.
func (m *machine) goRound(inv *invocation) (outer uint32, changes map[uint32]bool) {
	loops := map[uint32][]uint32{} // the slots at the last round, by the loop's first instruction
	changes = map[uint32]bool{}
	outer = m.loopTo(inv.pc)
	widest := m.Notes[outer].Span
	end := m.steps + rounds*further
	for range rounds * 4 {
		if !m.toLoop(inv, end) {
			break
		}
		at := m.loopTo(inv.pc)
		for slot, before := range loops[inv.pc] {
			if before != inv.slots[slot] {
				changes[uint32(slot)] = true
			}
		}
		loops[inv.pc] = append(loops[inv.pc][:0], inv.slots...)
		if s := m.Notes[at].Span; s.Contains(widest) {
			widest, outer = s, at
		}
	}
	inv.state = exhausted
	return outer, changes
}

// loopTo returns the OpLoop that jumps to an instruction.
func (m *machine) loopTo(target uint32) uint32 {
	for i, in := range m.code {
		if in.Op == ir.OpLoop && in.C == target {
			return uint32(i)
		}
	}
	return target
}

// conditionNames returns the variables that decide whether a loop ends.
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
	loop := m.Notes[at].Span
	syntax.Walk(m.Pipeline.Info.File, func(n syntax.Node) bool {
		if !loop.Contains(n.Span()) {
			return n.Span().Contains(loop)
		}
		switch n := n.(type) {
		case *syntax.LoopStmt:
			return n.Span() == loop // leaving an inner loop does not end this one
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

// describeWaiting describes the variables in the loop's condition and says which of them do not
// change.
func (m *machine) describeWaiting(inv *invocation, names []*types.Object, changes map[uint32]bool) string {
	var still, moving []string
	for _, o := range names {
		i := slices.IndexFunc(m.Variables, func(v ir.VariablePlace) bool { return v.Object == o && v.Where == ir.InSlots })
		if i < 0 {
			continue
		}
		slots := m.SlotsOf(m.Variables[i])
		if len(slots) != 1 {
			continue
		}
		value := fmt.Sprintf("`%s` (%s)", o.Name, ir.FormatBits(inv.slots[slots[0]], ir.KindOf(o.Store())))
		if changes[slots[0]] {
			moving = append(moving, value)
		} else {
			still = append(still, value)
		}
	}
	var parts []string
	if len(still) > 0 {
		parts = append(parts, strings.Join(still, " and ")+" no longer "+english.Form(len(still), "changes", "change"))
	}
	if len(moving) > 0 {
		parts = append(parts, strings.Join(moving, " and ")+english.Form(len(moving), " still changes", " still change"))
	}
	if len(parts) == 0 {
		return "its condition never changes"
	}
	return strings.Join(parts, ", ")
}

// describeOthers describes where the other invocations of the workgroup are.
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
		parts = append(parts, fmt.Sprintf("%s at the barrier on line %d", english.Count(waits, "waits", "wait"), line))
	}
	if done > 0 {
		parts = append(parts, english.Count(done, "has ended", "have ended"))
	}
	if rest := len(m.invs) - 1 - waits - done; rest > 0 {
		parts = append(parts, english.Count(rest, "has not started this part", "have not started this part"))
	}
	return "of the other invocations in its workgroup, " + strings.Join(parts, ", ")
}
