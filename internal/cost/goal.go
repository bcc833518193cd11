package cost

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/shader"
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

// Goals compares a shader with the goals of its exercise, and says what each line costs; it returns
// nil if there are no goals. Its errors are those of Exercise.
func Goals(ctx context.Context, exercise *course.Exercise, source *shader.Source) (Marks, []Heat, error) {
	if len(exercise.Goals) == 0 {
		return nil, nil, nil
	}
	yours, reference, err := beside(ctx, exercise, source)
	if err != nil {
		return nil, nil, err
	}
	return marks(exercise.Goals, yours, reference), yours.Heats(), nil
}

func marks(goals []course.Goal, yours, reference *DispatchCost) (marks Marks) {
	for _, g := range goals {
		m := GoalMark{Name: g.Name, Count: g.Count, Yours: yours.countOf(g), Limit: g.Limit * reference.countOf(g)}
		const rounding = 1e-6
		if m.Reached = yours.Finished && m.Yours <= m.Limit*(1+rounding); !m.Reached {
			m.Ask = g.Ask
			m.Line, m.Text = yours.lineOf(g)
		}
		if g.Of != "" {
			m.Count += " of " + g.Of
		}
		marks = append(marks, m)
	}
	return marks
}

// countOf returns the count that a goal limits.
func (r *DispatchCost) countOf(g course.Goal) (total float64) {
	if g.Count == course.CountFetched {
		for _, v := range r.Variables {
			if g.Of == "" || g.Of == v.Name {
				total += v.Read + v.Written
			}
		}
		return total
	}
	for i := range r.Lines {
		total += r.Lines[i].countOf(g)
	}
	return total
}

// lineOf returns the line that counts most. Of the bytes that workgroups fetch, each line counts
// what neighbours move in it.
func (r *DispatchCost) lineOf(g course.Goal) (line int, text string) {
	most := 0.0
	for i := range r.Lines {
		if n := r.Lines[i].countOf(g); n > most {
			most, line, text = n, r.Lines[i].Line, r.Lines[i].Text
		}
	}
	return line, text
}

func (l *LineCost) countOf(g course.Goal) (n float64) {
	switch g.Count {
	case course.CountBarriers:
		return l.Barriers
	case course.CountGroups:
		return l.GroupSteps
	}
	for _, a := range l.Accesses {
		if g.Of != "" && g.Of != a.Variable {
			continue
		}
		switch g.Count {
		case course.CountRequests:
			n += a.Requests
		case course.CountFetched:
			n += a.Moved
		case course.CountConflicts:
			n += a.Turns - a.LeastTurns
		case course.CountAtomics:
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
	course.CountRequests:  "Invocations with neighbouring numbers run together. If they use neighbouring elements, memory answers them with few requests: they are coalesced.",
	course.CountFetched:   "The bytes of the buffers that workgroups read and write. Memory is slow, so reading a number once and keeping it is faster.",
	course.CountConflicts: "Workgroup memory has banks. Invocations that use different numbers in the same bank have to wait their turn.",
	course.CountBarriers:  "At a barrier, every invocation of a workgroup waits for the slowest.",
	course.CountAtomics:   "Atomic operations on the same number run one after the other.",
	course.CountGroups:    "Invocations run in groups. While some of a group work, the others wait with them.",
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
