package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"

	"github.com/wgslab/wgslab/internal/class/gradebook"
	"github.com/wgslab/wgslab/internal/fence"
	"github.com/wgslab/wgslab/internal/plaintext"
)

// The parts of a JUnit report, as Ant's junitreport introduced it and Jenkins, GitLab and others
// read it.
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

// JUnit writes the table as a JUnit report, with a suite per student and a case per exercise.
// Files that could not be read become an error in a case of their own.
func JUnit(w io.Writer, t *gradebook.ClassTable) error {
	report := junitReport{Name: "wgslab grade"}
	for _, s := range t.Submissions {
		suite := newSuite(t, s)
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

func newSuite(t *gradebook.ClassTable, s gradebook.Student) junitSuite {
	name := plaintext.OneLine(s.Student)
	suite := junitSuite{Name: name, Properties: []junitProperty{
		{"points", number(s.Points)}, {"max_points", number(s.MaxPoints)},
		{"seed", strconv.FormatUint(t.Seed, 10)}, {"adapter", plaintext.OneLine(t.Adapter)},
	}}
	for _, problem := range s.Problems {
		suite.put(junitCase{Name: "submission", Class: name, Time: "0", Error: &junitOutcome{Message: problem, Type: "problem"}})
	}
	for _, e := range s.Exercises {
		suite.put(newCase(e, name))
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

func newCase(e gradebook.ExerciseResult, class string) junitCase {
	c := junitCase{Name: e.ID, Class: class, Time: "0"}
	outcome := &junitOutcome{Message: e.Note}
	if e.Detail != nil {
		c.Time = strconv.FormatFloat(e.Detail.Milliseconds/1000, 'f', 3, 64)
		outcome.Message = e.Detail.Message
		if fault := fence.Around(func() { outcome.Text = e.Detail.Text() }); fault != "" {
			outcome.Text = "The rest can't be shown. This is a fault in wgslab: please report it.\n" + fault
		}
	}
	switch {
	case e.Verdict == gradebook.Pass:
	case e.Verdict == gradebook.NeedsExecution, e.MaxPoints == 0: // the exercise counts for nothing
		c.Skipped = outcome
	default:
		outcome.Message = fmt.Sprintf("%s (%s of %s points)", outcome.Message, gradebook.FormatPoints(e.Points), gradebook.FormatPoints(e.MaxPoints))
		outcome.Type = cmp.Or(e.Diagnosis, string(e.Verdict))
		c.Failure = outcome
	}
	return c
}
