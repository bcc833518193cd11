package learner

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
)

// page is the journal as a web page: for each exercise, every step from the first try on.
type page struct {
	Summary   string
	Damaged   int // unreadable lines of the journal
	Exercises []way
	Said      []said
	Answers   []answer
}

// said is what the learner last said in their own words about what a lesson asks.
type said struct {
	*course.LessonQuestion
	Words string
}

// answer is the learner's answer to a question, before its worked example or in a later lesson, or
// a line from memory.
type answer struct {
	Try
	Asks string
}

// way holds the tries at one exercise.
type way struct {
	*course.Exercise
	Steps []step
}

// Last returns the latest step.
func (w way) Last() step { return w.Steps[len(w.Steps)-1] }

// Tries says how many there were.
func (w way) Tries() string {
	return english.Count(len(w.Steps), "try", "tries")
}

// step is a try with its changes since the previous one.
type step struct {
	Try
	Number  int
	Same    int    // how many more times the same shader was checked
	Whole   string // the whole shader, for the first try
	Changes []verdict.Change
}

// Mark is the sign before a try: right, not started or wrong.
func (s step) Mark() string {
	switch {
	case s.Passed:
		return "✓"
	case s.Diagnosis == verdict.Stub:
		return "○"
	}
	return "✗"
}

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"code": verdict.CodeSpans}).Parse(pageSource))

// WritePage writes the journal kept in dir as one self-contained HTML page.
func WritePage(w io.Writer, dir string) error {
	tries, damaged, err := ReadJournal(dir)
	if err != nil {
		return err
	}
	progress, err := Read(dir)
	if err != nil {
		return err
	}
	p := page{Summary: Map{Progress: progress}.Summary(), Damaged: damaged}
	for _, l := range course.AllLessons() {
		for _, e := range l.Exercises() {
			if steps := stepsOf(e.ID, tries); len(steps) > 0 {
				p.Exercises = append(p.Exercises, way{e, steps})
			}
		}
	}
	for _, t := range tries {
		if q, err := course.FindQuestion(t.Exercise); err == nil {
			asked := q
			if t.RecalledIn > 0 {
				asked = q.Anew()
			}
			p.Answers = append(p.Answers, answer{t, asked.Asks})
		}
		if l, err := course.FindLine(strings.TrimPrefix(t.Exercise, lineBefore)); err == nil && strings.HasPrefix(t.Exercise, lineBefore) {
			p.Answers = append(p.Answers, answer{t, "From memory: " + l.Asks})
		}
	}
	for number := 1; ; number++ {
		e, err := course.FindLessonQuestion(number)
		if err != nil {
			break
		}
		if t := last(tries, explanationID(number)); t != nil {
			p.Said = append(p.Said, said{e, t.Message})
		}
	}
	if err := pageTemplate.Execute(w, p); err != nil {
		return fmt.Errorf("writing the journal's page: %w", err)
	}
	return nil
}

// stepsOf returns the tries at one exercise. Checks of an unchanged text with the same result make
// one step.
func stepsOf(id string, tries []Try) []step {
	var steps []step
	for _, t := range tries {
		if t.Exercise != id {
			continue
		}
		last := len(steps) - 1
		if last >= 0 && steps[last].isSame(t) {
			steps[last].Same++
			continue
		}
		s := step{Try: t, Number: len(steps) + 1, Whole: t.Shader}
		if last >= 0 && steps[last].Shader != "" {
			s.Whole, s.Changes = "", verdict.Of(steps[last].Shader, t.Shader)
			if steps[last].Shader == t.Shader {
				s.Changes = nil // the result is new: other cases, or another device
			}
		}
		steps = append(steps, s)
	}
	return steps
}

// isSame reports whether a try repeats a step. A text that wasn't recorded may be another one.
func (s step) isSame(t Try) bool {
	return s.Shader == t.Shader && s.Passed == t.Passed && s.Diagnosis == t.Diagnosis && (t.Shader != "" || s.Message == t.Message)
}
