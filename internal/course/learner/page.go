package learner

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
)

// page is the journal as a web page: for each exercise, every step from the first try on.
type page struct {
	Summary string
	Damaged int // unreadable lines of the journal
	Shared  bool
	Lessons []lessonWays
	Said    []said
	Answers []answer
}

// lessonWays holds the ways of a lesson's exercises.
type lessonWays struct {
	course.Lesson
	Ways []way
}

// Turns returns the ways that have a step at which the exercise became right, after wrong ones.
func (p page) Turns() (all []way) {
	for _, l := range p.Lessons {
		for _, w := range l.Ways {
			if w.Turn() != nil {
				all = append(all, w)
			}
		}
	}
	return all
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

// way holds the tries at one exercise, and what was said between them.
type way struct {
	*course.Exercise
	Steps []step
	After []Turn // since the last step
}

// Mark is that of the latest step.
func (w way) Mark() string {
	if len(w.Steps) == 0 {
		return "○"
	}
	return w.Steps[len(w.Steps)-1].Mark()
}

// Turn returns the step at which the exercise became right; nil if it didn't, or was at once.
func (w way) Turn() *step {
	i := slices.IndexFunc(w.Steps, func(s step) bool { return s.Turned })
	if i < 0 {
		return nil
	}
	return &w.Steps[i]
}

// Tries says how many there were, and how much was said.
func (w way) Tries() string {
	said := 0
	for _, turns := range append(w.between(), w.After) { // a hint that was opened is no turn
		for _, t := range turns {
			if t.Hint == 0 {
				said++
			}
		}
	}
	tries := english.Count(len(w.Steps), "try", "tries")
	if said > 0 {
		tries += ", " + english.Count(said, "turn with the tutor", "turns with the tutor")
	}
	return tries
}

// between returns what was said before each step.
func (w way) between() (all [][]Turn) {
	for _, s := range w.Steps {
		all = append(all, s.Before)
	}
	return all
}

// add puts what was said about the exercise between the steps, by time.
func (w *way) add(all []Turn) {
	for _, said := range all {
		if said.Exercise != w.ID {
			continue
		}
		next := slices.IndexFunc(w.Steps, func(s step) bool { return s.Time.After(said.Time) })
		if next < 0 {
			w.After = append(w.After, said)
			continue
		}
		w.Steps[next].Before = append(w.Steps[next].Before, said)
	}
}

// step is a try with its changes since the previous one.
type step struct {
	Try
	Number  int
	Same    int    // how many more times the same shader was checked
	Whole   string // the whole shader, for the first try
	Changes []verdict.Change
	Before  []Turn // what was said since the step before
	Turned  bool   // the first right one after wrong ones
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

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"code": verdict.CodeSpans, "parts": partsOf}).Parse(pageSource))

// JournalPage is the journal as JupyterLab and the course's page show it.
type JournalPage struct {
	Page string `json:"page"`           // as WritePage writes it
	Says string `json:"says,omitempty"` // about what was pasted
}

// Open returns the learner's own journal. It first keeps a conversation that they paste, unless
// that is "". The text is as for Paste.
func Open(dir, pasted, id string) (opened JournalPage, err error) {
	if pasted != "" {
		if opened.Says, err = Paste(dir, pasted, id, time.Now()); err != nil {
			return JournalPage{}, err
		}
	}
	var page strings.Builder
	err = WritePage(&page, dir, nil)
	opened.Page = page.String()
	return opened, err
}

// WritePage writes the journal kept in dir as one self-contained HTML page. A page to share leaves
// out what leaveOut does; without it, the page is the learner's own and has all. (It is a function
// so that the course's page in a browser, which shares nothing, doesn't link it.)
func WritePage(w io.Writer, dir string, leaveOut func([]Try, []Turn) ([]Try, []Turn)) error {
	tries, damaged, err := ReadJournal(dir)
	if err != nil {
		return err
	}
	progress, err := Read(dir)
	if err != nil {
		return err
	}
	turns, lost, err := ReadConversation(dir)
	if err != nil {
		return err
	}
	if leaveOut != nil {
		tries, turns = leaveOut(tries, turns)
	}
	p := page{Summary: Map{Progress: progress}.Summary(), Damaged: damaged + lost, Shared: leaveOut != nil}
	for _, l := range course.AllLessons() {
		ways := lessonWays{Lesson: l}
		for _, e := range l.Exercises() {
			w := way{Exercise: e, Steps: stepsOf(e.ID, tries)}
			if w.add(turns); len(w.Steps)+len(w.After) > 0 {
				ways.Ways = append(ways.Ways, w)
			}
		}
		if len(ways.Ways) > 0 {
			p.Lessons = append(p.Lessons, ways)
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
		s.Turned = t.Passed && last >= 0 && !steps[last].Passed && steps[last].Diagnosis != verdict.Stub
		steps = append(steps, s)
	}
	return steps
}

// isSame reports whether a try repeats a step. A text that wasn't recorded may be another one.
func (s step) isSame(t Try) bool {
	return s.Shader == t.Shader && s.Passed == t.Passed && s.Diagnosis == t.Diagnosis && (t.Shader != "" || s.Message == t.Message)
}

// A part of a turn is prose, or a block of code between two fences.
type part struct {
	Text string
	Code bool
}

// partsOf splits what was said at its fences.
func partsOf(text string) (all []part) {
	code := false
	for line := range strings.Lines(text) {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if fence || len(all) == 0 {
			code = code != fence
			all = append(all, part{Code: code})
		}
		if !fence {
			all[len(all)-1].Text += line
		}
	}
	for i := range all {
		all[i].Text = strings.Trim(all[i].Text, "\r\n")
	}
	return slices.DeleteFunc(all, func(p part) bool { return strings.TrimSpace(p.Text) == "" })
}
