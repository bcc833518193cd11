package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// rounds is the number of further rounds of an endless loop that the machine runs to see what
// changes.
const rounds = 64

// further is how many steps to the next loop may take.
const further = 1 << 20

// stuck reports the loop that an invocation cannot leave, and the condition that it waits for. If
// the invocation is in no loop, its calls took the steps. never means that it certainly never ends.
func (w *watcher) stuck(m *machine, inv *invocation, never bool) {
	if w.trial {
		return
	}
	m.hold()
	steps := m.steps
	w.count[findings.StepLimit]++
	if inv.state == calling && !m.round(inv, steps+further) {
		w.stuckInCalls(m, inv, steps)
		return
	}
	before := slices.Clone(m.invs)
	loop, changes := m.goRound(inv)
	finding := findings.Finding{
		Kind: findings.StepLimit, Severity: findings.Error, Location: m.place(loop.Back, inv.local),
	}
	end := m.endOf(m.Notes[loop.Back].Span)
	text := fmt.Sprintf("the shader was still running after %s steps", inWords(steps))
	switch {
	case never && len(end.memory) > 0:
		text = "the shader does not end" // in another order it might
	case never:
		text = "the shader never ends"
	}
	text += fmt.Sprintf(": %s is in the loop on %s; %s", m.invocationOf(inv.local), finding.LineName(), end.text(inv, changes))
	if others := m.describeOthers(inv, before, loop); others != "" {
		text += "; " + others
	}
	finding.Message = text
	w.tell(finding)
}

// stuckInCalls reports functions that call each other more often than anybody waits for.
func (w *watcher) stuckInCalls(m *machine, inv *invocation, steps uint64) {
	at := m.place(inv.pc, inv.local)
	text := fmt.Sprintf("the shader was still running after %s steps: %s is in ", inWords(steps), m.invocationOf(inv.local))
	if f := m.FunctionAt(inv.pc); f != nil {
		text += "`" + f.Object.Name + "`, "
	}
	w.tell(findings.Finding{
		Kind: findings.StepLimit, Severity: findings.Error, Location: at,
		Message: text + "and no loop; functions that call others twice double the work each time",
	})
}

// inWords formats a large number for people.
func inWords(n uint64) string {
	if n >= 1e6 {
		return fmt.Sprintf("%d million", n/1e6)
	}
	return fmt.Sprint(n)
}

// goRound runs an invocation for more rounds, and the others as far as it waits for them. It
// returns the outermost loop that the invocation repeated and the slots that changed; nil if it
// came to no place twice. Nothing watches: the run is over.
func (m *machine) goRound(inv *invocation) (loop *ir.CodeLoop, changes map[uint32]bool) {
	watch, code, beside := m.watch, m.code, m.beside
	defer func() { m.watch, m.code, m.beside = watch, code, beside }()
	m.watch, m.code, m.beside = nil, m.Program.Code, nil
	last := map[uint32][]uint32{} // the slots at the last round, by the loop's first instruction
	var heads []uint32
	end := m.steps + rounds*further
	for range rounds * 4 {
		if inv.state == exhausted {
			if len(last[inv.pc]) > 0 && changes == nil {
				changes = map[uint32]bool{}
			}
			for slot, before := range last[inv.pc] {
				if before != inv.slots[slot] {
					changes[uint32(slot)] = true
				}
			}
			last[inv.pc] = append(last[inv.pc][:0], inv.slots...)
			heads = noted(heads, inv.pc)
		}
		for inv.state == waiting || inv.state == meeting {
			if !m.letOn(end) {
				return m.loopAround(inv, heads), changes
			}
		}
		if !m.round(inv, end) && inv.state != waiting && inv.state != meeting {
			break
		}
	}
	inv.state = exhausted
	return m.loopAround(inv, heads), changes
}

// loopAround returns the loop in which all heads are. If the invocation has left a loop since the
// run ended, it returns the one in which it was: that of the first heads.
func (m *machine) loopAround(inv *invocation, heads []uint32) *ir.CodeLoop {
	for n := len(heads); n > 0; n-- {
		if loop := m.LoopOf(heads[:n]); loop != nil {
			return loop
		}
	}
	return &ir.CodeLoop{Head: inv.pc, Back: inv.pc}
}

// letOn runs all invocations until they wait, and lets those go on that have met. It reports false
// if it can't.
func (m *machine) letOn(end uint64) bool {
	for i := range m.invs {
		inv := &m.invs[i]
		if inv.state == running && inv.pc == 0 {
			m.start(inv)
		}
		for inv.state != waiting && inv.state != meeting && inv.state != ended {
			if !m.round(inv, end) && m.steps >= end {
				return false
			}
		}
	}
	if m.join(nil) {
		return true
	}
	opened := false
	for i := range m.invs {
		if m.invs[i].state == waiting {
			m.invs[i].state, opened = running, true
		}
	}
	return opened
}

// describeOthers describes where the other invocations of the workgroup were when one was stuck.
func (m *machine) describeOthers(stuck *invocation, all []invocation, loop *ir.CodeLoop) string {
	if len(all) == 1 {
		return ""
	}
	waits, meets, inside, done := 0, 0, 0, 0
	line, metAt := 0, 0
	allWait := all[stuck.local].state == waiting || all[stuck.local].state == meeting
	for i := range all {
		inv := &all[i]
		switch {
		case inv.local == stuck.local:
		case inv.state == ended:
			done++
		case inv.state == waiting && !allWait:
			waits++
			line = m.place(inv.pc-1, inv.local).Line
		case inv.pc > 0 && loop.Holds(inv.pc-1) && (m.Subgroups || allWait):
			inside++
		case inv.state == meeting:
			meets++
			metAt = m.place(inv.pc-1, inv.local).Line
		}
	}
	var parts []string
	if inside > 0 {
		parts = append(parts, english.Count(inside, "is in the same loop", "are in the same loop"))
	}
	if waits > 0 {
		parts = append(parts, fmt.Sprintf("%s at the barrier on line %d", english.Count(waits, "waits", "wait"), line))
	}
	if meets > 0 {
		parts = append(parts, fmt.Sprintf("%s for the subgroup on line %d", english.Count(meets, "waits", "wait"), metAt))
	}
	if done > 0 {
		parts = append(parts, english.Count(done, "has ended", "have ended"))
	}
	if rest := len(all) - 1 - waits - meets - inside - done; rest > 0 {
		parts = append(parts, english.Count(rest, "has not started this part", "have not started this part"))
	}
	return "of the other invocations in its workgroup, " + strings.Join(parts, ", ")
}
