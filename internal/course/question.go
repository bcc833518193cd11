package course

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	"github.com/wgslab/wgslab/exercises"
)

// A Question is an exercise of kind Predict: the learner says what a worked example will show, and
// then runs it. It has no shader, so it isn't among the exercises of All.
type Question struct {
	ID       string   `toml:"-"`
	Kind     TaskKind `toml:"kind"`
	Lesson   int      `toml:"lesson"`   // as an exercise has it
	Position int      `toml:"position"` // among the questions of the lesson
	Notebook string   `toml:"notebook"` // in a pack
	Inquiry
	Again *Inquiry `toml:"again"` // the same idea in new words, for a later lesson
}

// An Inquiry is what a question asks, with its answers.
type Inquiry struct {
	Asks    string   `toml:"question"`
	Code    string   `toml:"code"` // lines that it asks about, or none: of WGSL, or what a tool said
	Answers []Choice `toml:"answers"`
}

// Anew returns the question as a later lesson asks it.
func (q *Question) Anew() *Question {
	if q.Again == nil {
		return q
	}
	other := *q
	other.Inquiry = *q.Again
	return &other
}

// A Choice is one that the learner can choose.
type Choice struct {
	Text  string `toml:"text"`
	Right bool   `toml:"right"`
	Why   string `toml:"why"` // why it is right, or why a wrong answer is tempting
}

// The fewest and the most answers of a question.
const (
	fewestAnswers = 2
	mostAnswers   = 4
)

// Letter names the answer with an index: a, b, c or d.
func Letter(index int) string { return string(rune('a' + index)) }

// Answer returns the answer that a letter names; ok is false if none has it.
func (q *Inquiry) Answer(letter string) (a Choice, ok bool) {
	for i, a := range q.Answers {
		if Letter(i) == strings.ToLower(strings.TrimSpace(letter)) {
			return a, true
		}
	}
	return Choice{}, false
}

// Texts returns the texts of the answers.
func (q *Inquiry) Texts() []string {
	var texts []string
	for _, a := range q.Answers {
		texts = append(texts, a.Text)
	}
	return texts
}

// checkImport begins a cell that calls package check.
const checkImport = "%noautoget\nimport \"github.com/wgslab/wgslab/pkg/check\"\n"

// CheckCell returns the text of a cell with one call of package check: CheckCell("Exercise", "add")
// is the check cell of the exercise add.
func CheckCell(function, id string) string {
	return fmt.Sprintf("%s\n%%%%\ncheck.%s(%q)", checkImport, function, id)
}

// mostInCell limits the lines of a cell, so that they don't wrap in a narrow window.
const mostInCell = 68

// Reads reports whether the question is about lines that the learner has already, such as a
// compiler's message. Then its answer decides at once: no example follows.
func (q *Question) Reads() bool { return q.Code != "" }

// Cell returns the text of the cell in which a notebook asks the question. The learner puts a
// letter between the quotes.
func (q *Question) Cell() string {
	var b strings.Builder
	b.WriteString(checkImport + "%%\n")
	if q.Reads() {
		b.WriteString(comment("Read: "+q.Asks, "") + quoted(q.Code))
	} else {
		b.WriteString(comment("Predict: "+q.Asks, ""))
	}
	for i, a := range q.Answers {
		b.WriteString(comment(Letter(i)+") "+a.Text, "  "))
	}
	letters := "a"
	for i := range q.Answers[1:] {
		letters += map[bool]string{true: " or ", false: ", "}[i == len(q.Answers)-2] + Letter(i+1)
	}
	fmt.Fprintf(&b, "// Put %s between the quotes, and run this cell.\ncheck.Predict(%q, \"\")", letters, q.ID)
	return b.String()
}

// comment breaks a text into lines of a comment. Each begins with an indent, and those after the
// first with more.
func comment(text, indent string) string {
	var lines []string
	line := "//" + indent
	for _, word := range strings.Fields(text) {
		if len([]rune(line))+1+len([]rune(word)) > mostInCell {
			lines = append(lines, line)
			line = "//" + indent
			if indent != "" {
				line += "  "
			}
		}
		line += " " + word
	}
	return strings.Join(append(lines, line), "\n") + "\n"
}

// quoted makes comments of lines that stay as they are.
func quoted(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		b.WriteString(strings.TrimRight("//     "+line, " \n") + "\n")
	}
	return b.String()
}

// KindOf returns the kind of the exercise in a folder. Other mistakes in its description don't
// matter.
func KindOf(files fs.FS, id string) TaskKind {
	var d struct {
		Kind TaskKind `toml:"kind"`
	}
	text, err := fs.ReadFile(files, path.Join(id, "exercise.toml"))
	if err != nil || toml.Unmarshal(text, &d) != nil {
		return Write
	}
	return d.Kind
}

// ReadQuestion reads the question in the folder id below files.
func ReadQuestion(files fs.FS, id string) (*Question, error) {
	name := path.Join(id, "exercise.toml")
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("reading a question: %w", err)
	}
	q := &Question{ID: id}
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(q); err != nil {
		return nil, fmt.Errorf("%s: %w", name, located(err))
	}
	if err := q.validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if q.Again != nil {
		if err := q.Again.validate(); err != nil {
			return nil, fmt.Errorf("%s, again: %w", name, err)
		}
	}
	return q, nil
}

// validate returns an error for what a question has to have.
func (q *Inquiry) validate() error {
	right := 0
	for i, a := range q.Answers {
		switch {
		case a.Text == "":
			return fmt.Errorf("answer %d has no text", i+1)
		case a.Why == "":
			return fmt.Errorf("answer %d has no `why`: say why it is right, or why it is tempting", i+1)
		case a.Right:
			right++
		}
	}
	switch {
	case q.Asks == "":
		return errors.New("it has no question")
	case len(q.Answers) < fewestAnswers, len(q.Answers) > mostAnswers:
		return fmt.Errorf("there are %d answers: use %d to %d", len(q.Answers), fewestAnswers, mostAnswers)
	case right != 1:
		return fmt.Errorf("%d answers have `right = true`: use one", right)
	}
	return nil
}

// questionsOfTheCourse reads the questions from their folders.
var questionsOfTheCourse = sync.OnceValues(func() (found []*Question, broken []error) {
	descriptions, err := fs.Glob(exercises.Files, "*/exercise.toml")
	if err != nil {
		return nil, []error{fmt.Errorf("listing the questions of the course: %w", err)}
	}
	for _, name := range descriptions {
		id := path.Dir(name)
		if KindOf(exercises.Files, id) != Predict {
			continue
		}
		q, err := ReadQuestion(exercises.Files, id)
		if err == nil {
			if err = requireLesson(q.Lesson, q.Notebook); err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
		}
		if err != nil {
			broken = append(broken, &BrokenError{id, err})
			continue
		}
		found = append(found, q)
	}
	return found, broken
})

// readPackedQuestions reads the questions of a pack. Each is in the notebook of an exercise.
func readPackedQuestions(files fs.FS, ids []string, packed []*Exercise) (found []*Question, broken []error) {
	for _, id := range ids {
		if KindOf(files, id) != Predict {
			continue
		}
		q, err := readPackedQuestion(files, id, packed)
		if err != nil {
			broken = append(broken, &BrokenError{id, err})
			continue
		}
		found = append(found, q)
	}
	return found, broken
}

func readPackedQuestion(files fs.FS, id string, packed []*Exercise) (*Question, error) {
	q, err := ReadQuestion(files, id)
	if err := errors.Join(CheckID(id), err); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(OwnQuestions(), func(own *Question) bool { return own.ID == id }) {
		return nil, fmt.Errorf("the course has a question %s: choose another id", id)
	}
	sibling := slices.IndexFunc(packed, func(e *Exercise) bool { return e.Notebook == q.Notebook })
	if sibling < 0 {
		return nil, fmt.Errorf("%s/exercise.toml: notebook is %q: name the notebook of one of the pack's exercises", id, q.Notebook)
	}
	q.Lesson = packed[sibling].Lesson
	return q, nil
}

// OwnQuestions returns the questions of the course, in its order.
func OwnQuestions() []*Question {
	own, _ := questionsOfTheCourse() // Broken has the errors
	return inOrder(own)
}

// Questions returns the questions of the course, in its order, and then those of the pack.
func Questions() []*Question {
	return inOrder(slices.Concat(OwnQuestions(), pack().questions))
}

func inOrder(questions []*Question) []*Question {
	return slices.SortedStableFunc(slices.Values(questions), func(a, b *Question) int {
		if a.Lesson != b.Lesson {
			return a.Lesson - b.Lesson
		}
		return a.Position - b.Position
	})
}

// FindQuestion returns the question with an id. Its error says what is wrong with the question, or
// that there is none.
func FindQuestion(id string) (*Question, error) {
	var known []string
	for _, q := range Questions() {
		if q.ID == id {
			return q, nil
		}
		known = append(known, q.ID)
	}
	if err := whyBroken(id); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("no question is called %q; these are: %s", id, strings.Join(known, ", "))
}
