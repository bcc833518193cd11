package gradebook

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
)

// A Column holds the exercises of one lesson.
type Column struct {
	Title     string
	Exercises []string
}

// Columns groups the exercises of the table by lesson.
func (t *ClassTable) Columns() []Column {
	var groups []Column
	for _, id := range t.Exercises() {
		title := LessonOf(id)
		if last := len(groups) - 1; last >= 0 && groups[last].Title == title {
			groups[last].Exercises = append(groups[last].Exercises, id)
			continue
		}
		groups = append(groups, Column{title, []string{id}})
	}
	return groups
}

// Exercises returns the ids of all exercises in the table, in its order.
func (t *ClassTable) Exercises() []string {
	var ids []string
	known := map[string]bool{}
	for _, s := range t.Submissions {
		for _, e := range s.Exercises {
			if !known[e.ID] {
				known[e.ID] = true
				ids = append(ids, e.ID)
			}
		}
	}
	return ids
}

// Beyond reports whether someone handed in an exercise beyond the eight lessons.
func (t *ClassTable) Beyond() bool {
	return slices.ContainsFunc(t.Submissions, func(s Student) bool {
		return slices.ContainsFunc(s.Exercises, func(e ExerciseResult) bool { return e.Beyond })
	})
}

// Statuses returns the statuses of a submission for the exercises of the column.
func (g Column) Statuses(s Student) []Status {
	var statuses []Status
	for _, id := range g.Exercises {
		statuses = append(statuses, s.Outcome(id).Status())
	}
	return statuses
}

// Outcome returns the result of an exercise, or Missing if the submission lacks it.
func (s Student) Outcome(id string) ExerciseResult {
	for _, e := range s.Exercises {
		if e.ID == id {
			return e
		}
	}
	return ExerciseResult{ID: id, Verdict: Missing}
}

// Rewarded returns the ids of the exercises with points for costs, in the table's order.
func (t *ClassTable) Rewarded() []string {
	return slices.DeleteFunc(t.Exercises(), func(id string) bool {
		return !slices.ContainsFunc(t.Submissions, func(s Student) bool { return s.Outcome(id).Costs != nil })
	})
}

// Costs reports whether the table has points for costs.
func (t *ClassTable) Costs() bool { return slices.ContainsFunc(t.Submissions, Student.Costs) }

// Costs reports whether the student can have points for costs.
func (s Student) Costs() bool {
	return slices.ContainsFunc(s.Exercises, func(e ExerciseResult) bool { return e.Costs != nil })
}

// Words says how many of the goals a shader reaches, and the points for that.
func (c *Costs) Words() string {
	if c == nil {
		return ""
	}
	words := FormatPoints(c.Points) + " of " + FormatPoints(c.MaxPoints)
	if len(c.Marks) > 0 {
		words += fmt.Sprintf(" (%d of %s)", c.Reached(), english.Count(len(c.Marks), "goal", "goals"))
	}
	return words
}

// Reached counts the goals that a shader reaches.
func (c *Costs) Reached() (n int) {
	for _, m := range c.Marks {
		if m.Reached {
			n++
		}
	}
	return n
}

// A Status shows the result of an exercise to people.
type Status struct {
	Sign, Words string
	Class       string // in the pages' style sheet
}

// The statuses, in the order of the legend.
var (
	StatusRight   = Status{"✓", "right", "right"}
	StatusPartial = Status{"◐", "right in part", "partial"}
	StatusWrong   = Status{"✗", "not right", "wrong"}
	StatusStub    = Status{"○", "not started", "stub"}
	StatusMissing = Status{"·", "not handed in", "missing"}
	StatusGo      = Status{"?", "needs execution", "go"}

	statuses = []Status{StatusRight, StatusPartial, StatusWrong, StatusStub, StatusMissing, StatusGo}
)

// Status returns the status of the exercise.
func (e ExerciseResult) Status() Status {
	switch {
	case e.Verdict == Pass:
		return StatusRight
	case e.Verdict == NeedsExecution:
		return StatusGo
	case e.Verdict == Missing:
		return StatusMissing
	case e.Diagnosis == verdict.Stub:
		return StatusStub
	case e.Points > 0:
		return StatusPartial
	}
	return StatusWrong
}

// FormatPoints formats points with as few digits as people need.
func FormatPoints(points float64) string {
	text := strconv.FormatFloat(points, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Legend returns the statuses that appear in the table.
func (t *ClassTable) Legend() []Status {
	used := map[Status]bool{}
	for _, s := range t.Submissions {
		for _, e := range s.Exercises {
			used[e.Status()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(statuses), func(m Status) bool { return !used[m] })
}

// LessonOf returns the number of an exercise's lesson. It returns the id if there is no such
// exercise, as in a table from a later version.
func LessonOf(id string) string {
	if e, err := course.Find(id); err == nil {
		return strconv.Itoa(e.Lesson)
	}
	return id
}

// Overall describes the class in one line.
func (t *ClassTable) Overall() string {
	if len(t.Submissions) == 0 {
		return "no submissions"
	}
	points, most := 0.0, 0.0
	for _, s := range t.Submissions {
		points += s.Points
		most = max(most, s.MaxPoints)
	}
	average := FormatPoints(points/float64(len(t.Submissions))) + " of " + FormatPoints(most) + " points"
	if len(t.Submissions) > 1 {
		average = "on average " + average
	}
	return english.Count(len(t.Submissions), "submission", "submissions") + ", " + average
}

// A Summary is how a class did in one exercise.
type Summary struct {
	ID, Lesson                     string
	Right, Partial, Wrong, NotDone int    // students
	Cheap                          int    // students who reach all goals by counts
	MostOften                      string // the most common diagnosis, with its count
}

// Summary returns how the class did, exercise by exercise.
func (t *ClassTable) Summary() []Summary {
	var all []Summary
	for _, id := range t.Exercises() {
		summary := Summary{ID: id, Lesson: LessonOf(id)}
		diagnoses := map[string]int{}
		for _, s := range t.Submissions {
			e := s.Outcome(id)
			if e.Costs != nil && e.Costs.Points > 0 {
				summary.Cheap++
			}
			switch e.Status() {
			case StatusRight:
				summary.Right++
			case StatusPartial:
				summary.Partial++
				diagnoses[e.Diagnosis]++
			case StatusWrong:
				summary.Wrong++
				diagnoses[e.Diagnosis]++
			case StatusStub, StatusMissing:
				summary.NotDone++
			case StatusGo:
				diagnoses[StatusGo.Words]++
			}
		}
		delete(diagnoses, "")
		summary.MostOften = mostOften(diagnoses)
		all = append(all, summary)
	}
	return all
}

// mostOften returns the name with the highest count; if several have it, the first by name.
func mostOften(counts map[string]int) string {
	best := ""
	for name, n := range counts {
		if best == "" || cmp.Or(cmp.Compare(n, counts[best]), cmp.Compare(best, name)) > 0 {
			best = name
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("%s (%d)", best, counts[best])
}
