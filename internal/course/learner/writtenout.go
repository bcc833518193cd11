// This file takes what the learner writes out: an explanation in their own words, and a line from
// memory. The journal keeps both.

package learner

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/view"
)

// mostLetters is how long an explanation may be. Two sentences take about 250.
const mostLetters = 1500

// Explain keeps the learner's explanation for a lesson, and returns what the cell shows: beside it,
// what the learner said two lessons before, and how the course says it. dir is the work folder.
func Explain(dir string, lesson int, words string) (view.Card, error) {
	e, err := course.FindLessonQuestion(lesson)
	if err != nil {
		return view.Card{}, err
	}
	tries, _, err := ReadJournal(dir)
	if err != nil {
		return view.Card{}, err
	}
	words = strings.Join(strings.Fields(words), " ")
	c := view.Card{Title: "In your own words: " + e.Asks}
	switch letters := len([]rune(words)); {
	case letters > mostLetters:
		c.Title = fmt.Sprintf("These are %d letters, and nothing was kept: two sentences are enough, up to %d.", letters, mostLetters)
	case words == "":
		c.Rows = append(c.Rows, [2]string{"to do", "write two sentences first"})
	default:
		if err := keep(dir, tries, Try{Exercise: explanationID(lesson), Headline: fmt.Sprintf("lesson %d: in your own words", lesson), Message: words}); err != nil {
			return view.Card{}, err
		}
		c.Title = "Your words are in your journal. " + whenShown(e)
		c.Rows = append(c.Rows, [2]string{"you say", words})
		if e.ShownIn() == 0 {
			c.Rows = append(c.Rows, [2]string{"we say", e.Ours})
		}
	}
	c.Rows = append(c.Rows, before(tries, lesson)...)
	return c, nil
}

// whenShown says when the learner sees an explanation again.
func whenShown(e *course.LessonQuestion) string {
	if in := e.ShownIn(); in > 0 {
		return fmt.Sprintf("Lesson %d shows them again, beside ours.", in)
	}
	return "Here are ours."
}

// before returns what the learner said in the lesson that is shown again in this one, if they did.
func before(tries []Try, lesson int) [][2]string {
	for number := 1; number < lesson; number++ {
		e, err := course.FindLessonQuestion(number)
		if err != nil || e.ShownIn() != lesson {
			continue
		}
		if said := last(tries, explanationID(number)); said != nil {
			return [][2]string{
				{fmt.Sprintf("lesson %d asked", number), e.Asks},
				{"you said", said.Message},
				{"we say", e.Ours},
				{"now", fmt.Sprintf("Would you still say it so? If not, say it anew in lesson %d.", number)},
			}
		}
	}
	return nil
}

// explanationID is the journal's name of an explanation.
func explanationID(lesson int) string { return fmt.Sprintf("explain-%d", lesson) }

// keep appends an answer to the journal, unless it is the last one of its kind there.
func keep(dir string, tries []Try, answer Try) error {
	if said := last(tries, answer.Exercise); said != nil && said.Message == answer.Message {
		return nil
	}
	answer.Time = time.Now().UTC()
	return RecordAnswer(dir, answer)
}

// lineBefore begins the journal's name of a line from memory, before the exercise's.
const lineBefore = "line-"

// Line keeps a line that the learner wrote from memory, with its verdict, and returns what the cell
// shows. judge runs the exercise's reference with that line in it. Without a line, it says how to
// answer.
func Line(dir, exercise, line string, judge func(*course.Exercise, string) (*verdict.Verdict, error)) (view.Note, error) {
	l, err := course.FindLine(exercise)
	if err != nil {
		return view.Note{}, err
	}
	line = strings.TrimSpace(line)
	switch {
	case line == "":
		return view.Note{Title: "From memory: " + l.Asks, Body: "First write the line in place of the dots.", Code: l.Around}, nil
	case strings.ContainsAny(line, "\n\r"):
		return view.Note{Mark: view.Bad, Title: "These are several lines: write the one in place of the dots.", Code: l.Around}, nil
	}
	e, err := course.Find(l.Exercise)
	if err != nil {
		return view.Note{}, err
	}
	text, err := l.With(line)
	if err != nil {
		return view.Note{}, err
	}
	v, err := judge(e, text)
	if err != nil {
		return view.Note{}, err
	}
	tries, _, err := ReadJournal(dir)
	if err != nil {
		return view.Note{}, err
	}
	says := map[bool]string{true: "right", false: "not right"}[v.Passed()]
	answer := Try{Exercise: lineBefore + exercise, Passed: v.Passed(), Headline: exercise + ": a line from memory, " + says, Message: line, Diagnosis: v.Slug}
	if err := keep(dir, tries, answer); err != nil {
		return view.Note{}, err
	}
	if v.Passed() {
		return view.Note{Mark: view.Good, Title: "Right: with your line, every case is as it should be.", Code: strings.Replace(l.Around, "…", line, 1)}, nil
	}
	return view.Note{
		Mark: view.Bad, Title: "Not yet. " + withoutPlaces(v.Message), Body: strings.TrimSpace(withoutPlaces(v.Why) + "\n" + withoutPlaces(v.Ask)),
		Code: strings.Replace(l.Around, "…", line, 1),
	}, nil
}

// place matches where a verdict says that something is in a shader.
var place = regexp.MustCompile(`(?i),? (?:both )?(?:on|in|of|between) lines? \d+(?: and (?:line )?\d+)?(?:, column \d+)?`)

// placeFirst matches such a place at the beginning of a sentence, with the letter after it.
var placeFirst = regexp.MustCompile(`(?:On|In|Between) lines? \d+(?: and \d+)?,? [a-z]`)

// withoutPlaces leaves out the places in a verdict on a shader of which the learner sees few lines.
func withoutPlaces(text string) string {
	text = placeFirst.ReplaceAllStringFunc(text, func(found string) string { return strings.ToUpper(found[len(found)-1:]) })
	return place.ReplaceAllString(text, "")
}
