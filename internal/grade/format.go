package grade

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/plaintext"
)

// WriteTable writes the table for people: a line a student, a sign an exercise;
// below it what could not be read, and how the class did at each exercise. It is
// at most width columns wide where that can be; 0 is as wide as it takes.
func (t *Table) WriteTable(w io.Writer, width int) error {
	var b strings.Builder
	if len(t.Submissions) > 0 { // a part of a class may hold nobody
		t.writeSubmissions(&b, width)
	}
	fmt.Fprintf(&b, "%s\nseed %d, %s\n", t.overall(), t.Seed, plaintext.OneLine(t.Adapter))
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Table) writeSubmissions(b *strings.Builder, width int) {
	groups := t.lessons()
	rows := [][]string{{"student"}}
	for _, g := range groups {
		rows[0] = append(rows[0], g.Title)
	}
	rows[0] = append(rows[0], "points")
	longest := 0
	for _, s := range t.Submissions {
		longest = max(longest, len(points2(s.Points)))
	}
	for _, s := range t.Submissions {
		row := []string{plaintext.OneLine(s.Student)}
		for _, g := range groups {
			signs := ""
			for _, m := range g.marks(s) {
				signs += m.Sign
			}
			row = append(row, signs)
		}
		rows = append(rows, append(row, fmt.Sprintf("%*s of %s", longest, points2(s.Points), points2(s.MaxPoints))))
	}
	plaintext.Columns(b, rows, width)
	t.writeLegend(b, width)
	t.writeProblems(b, width)
	b.WriteString("\n")
	if len(t.Submissions) == 1 {
		t.Submissions[0].writeExercises(b, width)
	} else {
		t.writeSummary(b, width)
	}
	b.WriteString("\n")
}

// lessonColumn is the exercises of one lesson.
type lessonColumn struct {
	Title     string
	Exercises []string
}

// lessons are the columns: the exercises of the table by their lessons.
func (t *Table) lessons() []lessonColumn {
	var groups []lessonColumn
	for _, id := range t.exercises() {
		title := lessonOf(id)
		if last := len(groups) - 1; last >= 0 && groups[last].Title == title {
			groups[last].Exercises = append(groups[last].Exercises, id)
			continue
		}
		groups = append(groups, lessonColumn{title, []string{id}})
	}
	return groups
}

// exercises are the ids of all exercises in the table, in its order.
func (t *Table) exercises() []string {
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

func (g lessonColumn) marks(s Student) []mark {
	var marks []mark
	for _, id := range g.Exercises {
		marks = append(marks, s.outcome(id).mark())
	}
	return marks
}

// outcome is what an exercise of the submission came to; missing where the
// submission does not have it.
func (s Student) outcome(id string) Exercise {
	for _, e := range s.Exercises {
		if e.ID == id {
			return e
		}
	}
	return Exercise{ID: id, Verdict: Missing}
}

// A mark is how an exercise ended, for people.
type mark struct {
	Sign, Words string
	Class       string // in the pages' style sheet
}

// The marks, in the order of the legend.
var (
	markRight   = mark{"✓", "right", "right"}
	markPartial = mark{"◐", "right in part", "partial"}
	markWrong   = mark{"✗", "not right", "wrong"}
	markStub    = mark{"○", "not started", "stub"}
	markMissing = mark{"·", "not handed in", "missing"}
	markGo      = mark{"?", "needs execution", "go"}

	marks = []mark{markRight, markPartial, markWrong, markStub, markMissing, markGo}
)

func (e Exercise) mark() mark {
	switch {
	case e.Verdict == Pass:
		return markRight
	case e.Verdict == NeedsExecution:
		return markGo
	case e.Verdict == Missing:
		return markMissing
	case e.Diagnosis == "stub":
		return markStub
	case e.Points > 0:
		return markPartial
	}
	return markWrong
}

// points2 is a number of points with no more digits than people read.
func points2(points float64) string {
	text := strconv.FormatFloat(points, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// legend is the marks that the table has.
func (t *Table) legend() []mark {
	used := map[mark]bool{}
	for _, s := range t.Submissions {
		for _, e := range s.Exercises {
			used[e.mark()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(marks), func(m mark) bool { return !used[m] })
}

func (t *Table) writeLegend(b *strings.Builder, width int) {
	parts := []string{"a column is a lesson"}
	for _, m := range t.legend() {
		parts = append(parts, m.Sign+" "+m.Words)
	}
	b.WriteString("\n" + plaintext.Fill(parts, "   ", "", width))
}

func (t *Table) writeProblems(b *strings.Builder, width int) {
	began := false
	for _, s := range t.Submissions {
		for _, problem := range s.Problems {
			if !began {
				b.WriteString("\nProblems\n")
				began = true
			}
			b.WriteString(plaintext.Fill(strings.Fields(plaintext.OneLine(s.Student)+": "+plaintext.OneLine(problem)), " ", "  ", width))
		}
	}
}

// writeExercises is what a single submission came to.
func (s Student) writeExercises(b *strings.Builder, width int) {
	rows := [][]string{{"exercise", "lesson", "points", "", "diagnosis"}}
	for _, e := range s.Exercises {
		rows = append(rows, []string{e.ID, lessonOf(e.ID), points2(e.Points) + " of " + points2(e.MaxPoints), e.mark().Sign + " " + e.mark().Words, e.Diagnosis})
	}
	plaintext.Columns(b, rows, width)
}

// lessonOf is the number of an exercise's lesson.
func lessonOf(id string) string {
	if e, err := lesson.Find(id); err == nil {
		return strconv.Itoa(e.Lesson)
	}
	return id
}

// writeSummary is how the class did at each exercise.
func (t *Table) writeSummary(b *strings.Builder, width int) {
	rows := [][]string{{"exercise", "lesson", "right", "in part", "not right", "not done", "most often"}}
	for _, s := range t.summary() {
		rows = append(rows, []string{
			s.ID, s.Lesson, fmt.Sprintf("%5d", s.Right), fmt.Sprintf("%7d", s.Partial),
			fmt.Sprintf("%9d", s.Wrong), fmt.Sprintf("%8d", s.NotDone), s.MostOften,
		})
	}
	plaintext.Columns(b, rows, width)
}

// overall is the class in one line.
func (t *Table) overall() string {
	if len(t.Submissions) == 0 {
		return "no submissions"
	}
	points, most := 0.0, 0.0
	for _, s := range t.Submissions {
		points += s.Points
		most = max(most, s.MaxPoints)
	}
	average := points2(points/float64(len(t.Submissions))) + " of " + points2(most) + " points"
	if len(t.Submissions) > 1 {
		average = "on average " + average
	}
	return plaintext.Count(len(t.Submissions), "submission") + ", " + average
}

// exerciseSummary is how a class did at one exercise.
type exerciseSummary struct {
	ID, Lesson                     string
	Right, Partial, Wrong, NotDone int    // students
	MostOften                      string // the diagnosis that most got, with how many
}

func (t *Table) summary() []exerciseSummary {
	var all []exerciseSummary
	for _, id := range t.exercises() {
		summary := exerciseSummary{ID: id, Lesson: lessonOf(id)}
		diagnoses := map[string]int{}
		for _, s := range t.Submissions {
			e := s.outcome(id)
			switch e.mark() {
			case markRight:
				summary.Right++
			case markPartial:
				summary.Partial++
				diagnoses[e.Diagnosis]++
			case markWrong:
				summary.Wrong++
				diagnoses[e.Diagnosis]++
			case markStub, markMissing:
				summary.NotDone++
			case markGo:
				diagnoses[markGo.Words]++
			}
		}
		delete(diagnoses, "")
		summary.MostOften = mostOften(diagnoses)
		all = append(all, summary)
	}
	return all
}

// mostOften names what was counted most, the first by name of equals.
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

// WriteJSON writes the table as JSON: the contract of `wgslab grade --format
// json`. No array in it is null.
func (t *Table) WriteJSON(w io.Writer) error {
	whole := *t
	whole.Submissions = make([]Student, len(t.Submissions))
	for i, s := range t.Submissions {
		s.Exercises = append([]Exercise{}, s.Exercises...)
		s.Problems = append([]string{}, s.Problems...)
		whole.Submissions[i] = s
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(whole)
}

// WriteCSV writes a row a student (RFC 4180, UTF-8): student, points,
// max_points, the points of each exercise, problems. An exercise that asks for
// no points, since it needs execution, has an empty field.
func (t *Table) WriteCSV(w io.Writer) error {
	ids := t.exercises()
	rows := csv.NewWriter(w)
	rows.UseCRLF = true
	header := slices.Concat([]string{"student", "points", "max_points"}, ids, []string{"problems"})
	if err := rows.Write(header); err != nil {
		return err
	}
	for _, s := range t.Submissions {
		row := []string{noFormula(s.Student), number(s.Points), number(s.MaxPoints)}
		for _, id := range ids {
			points := ""
			if e := s.outcome(id); e.MaxPoints > 0 {
				points = number(e.Points)
			}
			row = append(row, points)
		}
		if err := rows.Write(append(row, noFormula(strings.Join(s.Problems, " ")))); err != nil {
			return err
		}
	}
	rows.Flush()
	return rows.Error()
}

func number(points float64) string { return strconv.FormatFloat(points, 'f', -1, 64) }

// formula is where a spreadsheet would begin to compute: at the start of a cell,
// and behind a semicolon, which in half of Europe begins a cell.
var formula = regexp.MustCompile(`(^|;)([\s'"]*)([=+\-@＝＋－＠])`)

// noFormula makes text one line that no spreadsheet takes for a formula, by an
// apostrophe before what would be one.
func noFormula(text string) string {
	return formula.ReplaceAllString(plaintext.OneLine(text), "$1$2'$3")
}

// The parts of a JUnit report, as Ant's junitreport first wrote it and Jenkins,
// GitLab and others read it.
type (
	junitReport struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"` // seconds
		Failure *junitOutcome `xml:"failure"`
		Error   *junitOutcome `xml:"error"`
		Skipped *junitOutcome `xml:"skipped"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the table as a JUnit report: a suite a student, a case an
// exercise. What could not be read is an error of a case of its own.
func (t *Table) WriteJUnit(w io.Writer) error {
	report := junitReport{Name: "wgslab grade"}
	for _, s := range t.Submissions {
		suite := t.suite(s)
		report.add(suite.junitCounts)
		report.Suites = append(report.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (t *Table) suite(s Student) junitSuite {
	name := plaintext.OneLine(s.Student)
	suite := junitSuite{Name: name, Properties: []junitProperty{
		{"points", number(s.Points)}, {"max_points", number(s.MaxPoints)},
		{"seed", strconv.FormatUint(t.Seed, 10)}, {"adapter", plaintext.OneLine(t.Adapter)},
	}}
	for _, problem := range s.Problems {
		suite.put(junitCase{Name: "submission", Class: name, Time: "0", Error: &junitOutcome{Message: problem, Type: "problem"}})
	}
	for _, e := range s.Exercises {
		suite.put(e.junit(name))
	}
	return suite
}

func (s *junitSuite) put(c junitCase) {
	counts := junitCounts{Tests: 1}
	switch {
	case c.Failure != nil:
		counts.Failures = 1
	case c.Error != nil:
		counts.Errors = 1
	case c.Skipped != nil:
		counts.Skipped = 1
	}
	s.add(counts)
	s.Cases = append(s.Cases, c)
}

func (c *junitCounts) add(other junitCounts) {
	c.Tests += other.Tests
	c.Failures += other.Failures
	c.Errors += other.Errors
	c.Skipped += other.Skipped
}

func (e Exercise) junit(class string) junitCase {
	c := junitCase{Name: e.ID, Class: class, Time: "0"}
	outcome := &junitOutcome{Message: e.Note}
	if e.Detail != nil {
		c.Time = strconv.FormatFloat(e.Detail.Milliseconds/1000, 'f', 3, 64)
		outcome.Message, outcome.Text = e.Detail.Message, e.Detail.Text()
	}
	switch {
	case e.Verdict == Pass:
	case e.Verdict == NeedsExecution, e.MaxPoints == 0: // nothing was asked for
		c.Skipped = outcome
	default:
		outcome.Message = fmt.Sprintf("%s (%s of %s points)", outcome.Message, points2(e.Points), points2(e.MaxPoints))
		outcome.Type = cmp.Or(e.Diagnosis, string(e.Verdict))
		c.Failure = outcome
	}
	return c
}
