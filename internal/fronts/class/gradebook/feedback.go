// This file writes the results of a grading run as HTML: a page per student, and an index
// for the instructor.

package gradebook

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/ground/atomicfile"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
)

//go:embed feedback.html
var feedbackSource string

var feedbackTemplate = template.Must(template.New("feedback").Funcs(template.FuncMap{
	"points": FormatPoints, "plain": plaintext.OneLine,
}).Parse(feedbackSource))

const indexFile = "index.html"

// Write writes one HTML page per student into dir, and index.html for the instructor. Each page is
// self-contained. An existing page is replaced atomically.
func Write(dir string, t *ClassTable) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the folder for the feedback: %w", err)
	}
	files := fileNames(t.Submissions)
	for i, s := range t.Submissions {
		if err := writePage(filepath.Join(dir, files[i]), "student", newStudentPage(t, s)); err != nil {
			return fmt.Errorf("writing the feedback for %s: %w", s.Student, err)
		}
	}
	if err := writePage(filepath.Join(dir, indexFile), "index", newIndexPage(t, files)); err != nil {
		return fmt.Errorf("writing the feedback's index: %w", err)
	}
	return nil
}

func writePage(path, name string, data any) error {
	var page bytes.Buffer
	if err := feedbackTemplate.ExecuteTemplate(&page, name, data); err != nil {
		return err
	}
	return atomicfile.Write(path, page.Bytes(), 0o644)
}

// studentPage holds the contents of a student's page.
type studentPage struct {
	Student
	Seed     uint64
	Adapter  string
	Sentence string
	Lessons  []pageLesson
	Again    []pageExercise // wrong or partly right
	Right    []pageExercise
	Open     []pageExercise // not begun, or not run in grading
}

// pageLesson is one lesson in the map at the top of a page.
type pageLesson struct {
	Title     string
	Exercises []pageExercise
}

// pageExercise is one exercise on a page.
type pageExercise struct {
	ExerciseResult
	About   *course.Exercise
	Lesson  course.Lesson
	Status  Status
	Verdict template.HTML
	Listing listing
}

func newStudentPage(t *ClassTable, s Student) studentPage {
	p := studentPage{Student: s, Seed: t.Seed, Adapter: t.Adapter}
	for _, e := range s.Exercises {
		shown := newPageExercise(e)
		switch shown.Status {
		case StatusRight:
			p.Right = append(p.Right, shown)
		case StatusPartial, StatusWrong:
			p.Again = append(p.Again, shown)
		default:
			p.Open = append(p.Open, shown)
		}
		if last := len(p.Lessons) - 1; last < 0 || p.Lessons[last].Title != shown.lessonTitle() {
			p.Lessons = append(p.Lessons, pageLesson{Title: shown.lessonTitle()})
		}
		p.Lessons[len(p.Lessons)-1].Exercises = append(p.Lessons[len(p.Lessons)-1].Exercises, shown)
	}
	p.Sentence = p.sentence()
	return p
}

func newPageExercise(e ExerciseResult) pageExercise {
	shown := pageExercise{ExerciseResult: e, Status: e.Status(), About: &course.Exercise{ID: e.ID}}
	if about, err := course.Find(e.ID); err == nil {
		shown.About = about
	}
	for _, l := range course.AllLessons() {
		if l.Holds(shown.About.Lesson, shown.About.Notebook) {
			shown.Lesson = l
		}
	}
	line := 0
	if e.Detail != nil {
		timeless := *e.Detail
		timeless.Milliseconds = 0 // a page is the same however often, and wherever, the class is graded
		shown.Verdict = drawn(&timeless)
		if len(e.Detail.Places) > 0 {
			line = e.Detail.Places[0].Line
		}
	}
	shown.Listing = list(e.Source, line)
	return shown
}

// drawn returns what a page shows of a verdict. If drawing it panics, the verdict holds, and one
// line says what is missing; the stack is for the maintainer.
func drawn(v *verdict.Verdict) (panel template.HTML) {
	if fault := fence.Around(func() { panel = v.HTML() }); fault != "" {
		return template.HTML(fmt.Sprintf(`<p>%s</p>
<p>The rest can't be shown. This is a fault in wgslab, not in your shader: please report it.</p>
<details><summary>The fault</summary><pre>%s</pre></details>`, verdict.CodeSpans(verdict.Visible(v.Headline())), verdict.CodeSpans(verdict.Visible(fault))))
	}
	return panel
}

func (e pageExercise) lessonTitle() string {
	title := fmt.Sprintf("%d · %s", e.Lesson.Number, e.Lesson.Title)
	if e.Beyond {
		title += " (not in the points above)"
	}
	return title
}

// sentence tells the student what the points mean.
func (p studentPage) sentence() string {
	right, again := len(p.Right), len(p.Again)
	switch {
	case len(p.Exercises) == 0:
		return "Nothing in this submission could be graded."
	case right == len(p.Exercises):
		return "Everything is right. Well done!"
	case right == 0 && again == 0:
		return "You haven't started an exercise yet."
	case right == 0:
		return exercisesAre(again) + " on the way. See below what to look at next."
	case again == 0:
		return exercisesAre(right) + " right, and none is wrong. Well done!"
	}
	return fmt.Sprintf("%s right, and %d on the way. See below what to look at next.", exercisesAre(right), again)
}

func exercisesAre(n int) string {
	if n == 1 {
		return "1 exercise is"
	}
	return fmt.Sprintf("%d exercises are", n)
}

// A listing holds the lines of a shader.
type listing struct {
	Lines []listedLine
	Of    int // the total number of lines
}

type listedLine struct {
	Number int
	Text   string
	Marked bool
}

// The limits of a listing, far above any honest shader of the course.
const (
	mostLines   = 400
	mostColumns = 400
)

// list returns the shader with one line marked, or none if marked is 0. Of a very long shader it
// keeps the lines around the marked one.
func list(source string, marked int) listing {
	if source == "" {
		return listing{}
	}
	lines := strings.Split(strings.TrimRight(source, "\r\n"), "\n")
	from := max(0, min(marked-mostLines/2, len(lines)-mostLines))
	to := min(len(lines), from+mostLines)
	l := listing{Of: len(lines)}
	for i, text := range lines[from:to] {
		number := from + i + 1
		l.Lines = append(l.Lines, listedLine{number, showable(text), number == marked})
	}
	return l
}

// Cut reports whether lines are left out.
func (l listing) Cut() bool { return len(l.Lines) < l.Of }

// First and Last return the numbers of the first and last line in the listing.
func (l listing) First() int { return l.Lines[0].Number }
func (l listing) Last() int  { return l.Lines[len(l.Lines)-1].Number }

// showable returns a line of a shader with a replacement for each character that would hide others
// or change the direction of writing.
func showable(line string) string {
	line = strings.TrimSuffix(line, "\r")
	if utf8.RuneCountInString(line) > mostColumns {
		line = string([]rune(line)[:mostColumns]) + "…"
	}
	return strings.Map(func(r rune) rune {
		if r == '\t' || unicode.IsGraphic(r) {
			return r
		}
		return utf8.RuneError
	}, line)
}

// indexPage holds the contents of the instructor's page.
type indexPage struct {
	*ClassTable
	Overall string
	Columns []Column
	Summary []Summary
	Rows    []indexRow
	Legend  []Status
}

type indexRow struct {
	Student
	File  string
	Cells [][]Status // by lesson
}

func newIndexPage(t *ClassTable, files []string) indexPage {
	p := indexPage{ClassTable: t, Overall: t.Overall(), Columns: t.Columns(), Summary: t.Summary(), Legend: t.Legend()}
	for i, s := range t.Submissions {
		row := indexRow{Student: s, File: files[i]}
		for _, column := range p.Columns {
			row.Cells = append(row.Cells, column.Statuses(s))
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

// safeName matches names that are safe as file names: lower case, since some file systems ignore
// case, and no character with a meaning for a shell or a system.
var safeName = regexp.MustCompile(`^[a-z0-9]([a-z0-9_.-]{0,62}[a-z0-9])?$`)

// reserved matches the names that Windows keeps for devices, with any extension, and the name of
// the index.
var reserved = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9]|index)(\.|$)`)

// fileNames returns a file name for each student's page. That is the student's name if it is safe.
// Otherwise it is the safe part of the name plus a mark that depends only on the name, so it does
// not change with the class.
func fileNames(students []Student) []string {
	taken := map[string]bool{}
	var names []string
	for _, s := range students {
		try := 0
		name := fileName(s.Student, try)
		for taken[strings.ToLower(name)] {
			try++
			name = fileName(s.Student, try)
		}
		taken[strings.ToLower(name)] = true
		names = append(names, name+".html")
	}
	return names
}

// fileName marks an unsafe name with a part of its hash, a different one for each try. No safe
// name contains a tilde, so no name can imitate a marked one.
func fileName(student string, try int) string {
	if try == 0 && safeName.MatchString(student) && !reserved.MatchString(student) {
		return student
	}
	const most = 40
	var base []rune
	for _, r := range student {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = '-'
		}
		if len(base) < most && (r != '-' || len(base) > 0 && base[len(base)-1] != '-') {
			base = append(base, r)
		}
	}
	sum := sha256.Sum256(fmt.Append(nil, student, try))
	readable := cmp.Or(strings.TrimRight(string(base), "-"), "student")
	return readable + "~" + hex.EncodeToString(sum[:4])
}
