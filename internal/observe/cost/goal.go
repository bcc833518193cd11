package cost

import (
	"fmt"
	"slices"
	"strings"
)

// The counts that an exercise can limit by a goal; package course has their names in its list.
const (
	CountRequests  = "requests"       // of lines of memory, by 32 neighbours together
	CountFetched   = "fetched"        // bytes, by workgroups, each its own once
	CountConflicts = "bank conflicts" // turns of workgroup memory beyond the least
	CountAtomics   = "atomics"
	CountBarriers  = "barriers"
	CountGroups    = "group steps" // operations and accesses of whole groups of 32, idle invocations included
)

// A GoalMark says whether a shader reaches a goal of its exercise.
type GoalMark struct {
	Name    string  `json:"name"`
	Reached bool    `json:"reached"`
	Yours   float64 `json:"yours"` // the count
	Limit   float64 `json:"limit"` // the most that reaches the goal
	Count   string  `json:"count"` // what is counted
	Line    int     `json:"line,omitempty"`
	Text    string  `json:"text,omitempty"` // of the line that counts most
	Ask     string  `json:"ask,omitempty"`  // a question, if the goal is missed
}

// Marks are the marks of a shader, in the order of the exercise's goals.
type Marks []GoalMark

// Placed reports whether a mark names a line.
func (m Marks) Placed() bool {
	return slices.ContainsFunc(m, func(mark GoalMark) bool { return mark.Line > 0 })
}

// CountOf returns one of the counts that an exercise can limit, such as CountRequests; of names the
// only variable that counts, and is "" for all.
func (r *DispatchCost) CountOf(count, of string) (total float64) {
	if count == CountFetched {
		for _, v := range r.Variables {
			if of == "" || of == v.Name {
				total += v.Read + v.Written
			}
		}
		return total
	}
	for i := range r.Lines {
		total += r.Lines[i].countOf(count, of)
	}
	return total
}

// MostOn returns the line that counts most. Of the bytes that workgroups fetch, each line counts
// what neighbours move in it.
func (r *DispatchCost) MostOn(count, of string) (line int, text string) {
	most := 0.0
	for i := range r.Lines {
		if n := r.Lines[i].countOf(count, of); n > most {
			most, line, text = n, r.Lines[i].Line, r.Lines[i].Text
		}
	}
	return line, text
}

func (l *LineCost) countOf(count, of string) (n float64) {
	switch count {
	case CountBarriers:
		return l.Barriers
	case CountGroups:
		return l.GroupSteps
	}
	for _, a := range l.Accesses {
		if of != "" && of != a.Variable {
			continue
		}
		switch count {
		case CountRequests:
			n += a.Requests
		case CountFetched:
			n += a.Moved
		case CountConflicts:
			n += a.Turns - a.LeastTurns
		case CountAtomics:
			if a.Kind == "atomic" {
				n += a.Times
			}
		}
	}
	return n
}

// Text renders the marks for a terminal.
func (m Marks) Text() string {
	lines := []string{"  What it costs (this decides nothing):"}
	for _, mark := range m {
		lines = append(lines, "  "+mark.Sign()+" "+mark.Name+mark.Why())
		for _, more := range []string{mark.Text, mark.Ask} {
			if more != "" {
				lines = append(lines, "    "+more)
			}
		}
	}
	return strings.Join(lines, "\n")
}

// Sign is a check mark if the goal is reached.
func (m GoalMark) Sign() string {
	if m.Reached {
		return "✓"
	}
	return "·"
}

// Means explains what the mark is about.
func (m GoalMark) Means() string {
	count, _, _ := strings.Cut(m.Count, " of ")
	return meanings[count]
}

var meanings = map[string]string{
	CountRequests:  "Invocations with neighbouring numbers run together. If they use neighbouring elements, memory answers them with few requests: they are coalesced.",
	CountFetched:   "The bytes of the buffers that workgroups read and write. Memory is slow, so reading a number once and keeping it is faster.",
	CountConflicts: "Workgroup memory has banks. Invocations that use different numbers in the same bank have to wait their turn.",
	CountBarriers:  "At a barrier, every invocation of a workgroup waits for the slowest.",
	CountAtomics:   "Atomic operations on the same number run one after the other.",
	CountGroups:    "Invocations run in groups. While some of a group work, the others wait with them.",
}

// Why names the line that misses the goal; "" if it is reached.
func (m GoalMark) Why() string {
	switch {
	case m.Reached:
		return ""
	case m.Line == 0:
		return fmt.Sprintf(": %s %s; %s would reach it", short(m.Yours), m.Count, short(m.Limit))
	}
	return fmt.Sprintf(": %s %s, most on line %d; %s would reach it", short(m.Yours), m.Count, m.Line, short(m.Limit))
}
