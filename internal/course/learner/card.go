package learner

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/view/mark"
)

// A QuestionCard shows a question, and what the learner said.
type QuestionCard struct {
	*course.Question
	Lesson  int            // of a recall, the lesson that begins with it; 0 for a prediction
	Given   *course.Choice // nil without an answer
	Problem string         // why the answer does not count
	Call    string         // an example of the call with an answer
}

// An option is an answer of the card's list.
type option struct {
	course.Choice
	Letter string
	Mine   bool
}

// Mark returns the mark of an answer.
func (o option) Mark() mark.Mark {
	if o.Right {
		return mark.Good
	}
	return mark.Neutral
}

// Options returns the answers with their letters.
func (c *QuestionCard) Options() []option {
	var all []option
	for i, a := range c.Answers {
		all = append(all, option{a, course.Letter(i), c.Given != nil && *c.Given == a})
	}
	return all
}

// Recalls reports whether the card begins a lesson.
func (c *QuestionCard) Recalls() bool { return c.Lesson > 0 }

// Decides reports whether the card says which answer is right. The next cell shows it for a
// prediction.
func (c *QuestionCard) Decides() bool { return c.Recalls() || c.Reads() }

// Mark returns the card's mark: that of the answer, and none for a prediction.
func (c *QuestionCard) Mark() mark.Mark {
	switch {
	case c.Given == nil || !c.Decides():
		return mark.Neutral
	case c.Given.Right:
		return mark.Good
	}
	return mark.Bad
}

// Says is the card's first line.
func (c *QuestionCard) Says() string {
	switch {
	case c.Problem != "":
		return c.Problem
	case c.Given == nil && c.Recalls():
		return fmt.Sprintf("Do you remember? A question of lesson %d", c.Question.Lesson)
	case c.Given == nil:
		return "What do you say?"
	case !c.Decides():
		return "You say: " + c.Given.Text
	case c.Given.Right:
		return "Right: " + c.Given.Text
	}
	return "Not this one: " + c.Given.Text
}

//go:embed card.html
var cardSource string

var cardTemplate = template.Must(template.New("card").Funcs(template.FuncMap{"code": verdict.CodeSpans}).Parse(cardSource))

// HTML renders the card.
func (c *QuestionCard) HTML() template.HTML {
	return mark.Fill(cardTemplate, c)
}

// Text renders the card for a terminal.
func (c *QuestionCard) Text() string {
	lines := []string{c.Mark().Sign() + " " + c.Says()}
	if c.Given == nil && c.Recalls() {
		lines = append(lines, "  "+c.Asks)
		for line := range strings.Lines(c.Code) {
			lines = append(lines, "      "+strings.TrimSuffix(line, "\n"))
		}
	}
	for _, o := range c.Options() {
		switch {
		case c.Given != nil:
			lines = append(lines, fmt.Sprintf("  %s %s) %s %s", o.Mark().Sign(), o.Letter, o.Text, o.Why))
		case c.Recalls():
			lines = append(lines, fmt.Sprintf("    %s) %s", o.Letter, o.Text))
		}
	}
	if c.Given == nil {
		lines = append(lines, "  Put the letter of your answer between the quotes, such as "+c.Call+", and run the cell again.")
	}
	return strings.Join(lines, "\n")
}
