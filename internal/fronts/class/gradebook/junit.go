package gradebook

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/ground/junit"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
)

// JUnit writes the table as a JUnit report, with a suite per student and a case per exercise.
// Files that could not be read become an error in a case of their own.
func JUnit(w io.Writer, t *ClassTable) error {
	report := junit.Outcomes{Name: "wgslab grade"}
	for _, s := range t.Submissions {
		report.Add(newSuite(t, s))
	}
	return report.Write(w)
}

func newSuite(t *ClassTable, s Student) junit.Suite {
	name := plaintext.OneLine(s.Student)
	suite := junit.Suite{Name: name, Properties: []junit.Property{
		{Name: "points", Value: number(s.Points)}, {Name: "max_points", Value: number(s.MaxPoints)},
		{Name: "seed", Value: strconv.FormatUint(t.Seed, 10)}, {Name: "adapter", Value: plaintext.OneLine(t.Adapter)},
	}}
	for _, problem := range s.Problems {
		suite.Add(junit.TestCase{Name: "submission", Class: name, Time: "0", Error: &junit.Detail{Message: problem, Type: "problem"}})
	}
	for _, e := range s.Exercises {
		suite.Add(newCase(e, name))
	}
	return suite
}

func newCase(e ExerciseResult, class string) junit.TestCase {
	c := junit.TestCase{Name: e.ID, Class: class, Time: "0"}
	outcome := &junit.Detail{Message: e.Note}
	if e.Detail != nil {
		c.Time = strconv.FormatFloat(e.Detail.Milliseconds/1000, 'f', 3, 64)
		outcome.Message = e.Detail.Message
		if fault := fence.Around(func() { outcome.Text = e.Detail.Text() }); fault != "" {
			outcome.Text = "The rest can't be shown. This is a fault in wgslab: please report it.\n" + fault
		}
	}
	switch {
	case e.Verdict == Pass:
	case e.Verdict == NeedsExecution, e.MaxPoints == 0: // the exercise counts for nothing
		c.Skipped = outcome
	default:
		outcome.Message = fmt.Sprintf("%s (%s of %s points)", outcome.Message, FormatPoints(e.Points), FormatPoints(e.MaxPoints))
		outcome.Type = cmp.Or(e.Diagnosis, string(e.Verdict))
		c.Failure = outcome
	}
	return c
}
