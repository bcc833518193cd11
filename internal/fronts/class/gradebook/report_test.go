package gradebook_test

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook/gradebooktest"
	"gotest.tools/v3/golden"
	"pgregory.net/rapid"
)

func written(t require.TestingT, write func(io.Writer) error) string {
	var b bytes.Buffer
	require.NoError(t, write(&b))
	return b.String()
}

func TestFormats(t *testing.T) {
	table := gradebooktest.Class()
	golden.Assert(t, written(t, func(w io.Writer) error { return gradebook.Text(w, table, 80) }), "golden/table.txt")
	table.Submissions = table.Submissions[1:2]
	golden.Assert(t, written(t, func(w io.Writer) error { return gradebook.Text(w, table, 0) }), "golden/table-one.txt")
	table = gradebooktest.Class()
	golden.Assert(t, written(t, func(w io.Writer) error { return gradebook.JSON(w, table) }), "golden/table.json")
	golden.AssertBytes(t, []byte(written(t, func(w io.Writer) error { return gradebook.CSV(w, table) })), "golden/table.csv") // its lines end in CRLF, which Assert takes for LF
	golden.Assert(t, written(t, func(w io.Writer) error { return gradebook.JUnit(w, table) }), "golden/table.junit.xml")
}

// Points for costs have a column of their own in each format for people, and an object in JSON.
func TestPointsForCosts(t *testing.T) {
	table := gradebooktest.WithCosts()
	text := written(t, func(w io.Writer) error { return gradebook.Text(w, table, 0) })
	require.Regexp(t, `(?m)most often +all goals\n(.*\n)*hello .* 1$`, text)
	require.Contains(t, written(t, func(w io.Writer) error { return gradebook.JSON(w, table) }), `"max_points": 0.5,`)
	rows, err := csv.NewReader(strings.NewReader(written(t, func(w io.Writer) error { return gradebook.CSV(w, table) }))).ReadAll()
	require.NoError(t, err)
	costs := slices.Index(rows[0], "hello-cost")
	require.Equal(t, len(rows[0])-2, costs, "before the problems")
	require.Equal(t, []string{"0", "0", "0.5"}, []string{rows[1][costs], rows[2][costs], rows[3][costs]})
	again, err := gradebook.ReadJSON(strings.NewReader(written(t, func(w io.Writer) error { return gradebook.JSON(w, table) })))
	require.NoError(t, err)
	require.Equal(t, 1, again.Submissions[1].Outcome("hello").Costs.Reached())

	table.Submissions = table.Submissions[1:2]
	text = written(t, func(w io.Writer) error { return gradebook.Text(w, table, 0) })
	require.Regexp(t, `(?m)diagnosis +costs$`, text)
	require.Regexp(t, `(?m)^hello .* 0 of 0\.5 \(1 of 2 goals\)$`, text)
}

// An empty table is valid in every format.
func TestFormatsOfNobody(t *testing.T) {
	empty := &gradebook.ClassTable{Seed: 1, Adapter: "none"}
	require.Equal(t, "no submissions\nseed 1, none\n", written(t, func(w io.Writer) error { return gradebook.Text(w, empty, 80) }))
	require.JSONEq(t, `{"seed": 1, "adapter": "none", "submissions": []}`, written(t, func(w io.Writer) error { return gradebook.JSON(w, empty) }))
	require.Equal(t, "student,points,max_points,problems\r\n", written(t, func(w io.Writer) error { return gradebook.CSV(w, empty) }))
	require.NoError(t, xml.Unmarshal([]byte(written(t, func(w io.Writer) error { return gradebook.JUnit(w, empty) })), new(struct{})))
}

// The table keeps its columns aligned and its width, whatever the names.
func TestTableIsStraight(t *testing.T) {
	for _, width := range []int{60, 80, 200} {
		table := gradebooktest.Class()
		for i := range 1000 {
			s := table.Submissions[i%3]
			s.Student = fmt.Sprintf("%s %s %d", s.Student, []string{"\x1b[31m", "مریم", "👩‍👩‍👧‍👦", strings.Repeat("Wolfeschlegelstein", 5)}[i%4], i)
			table.Submissions = append(table.Submissions, s)
		}
		text := written(t, func(w io.Writer) error { return gradebook.Text(w, table, width) })
		require.NotContains(t, text, "\x1b")
		above, _, _ := strings.Cut(text, "\n\n")
		lines := strings.Split(above, "\n")
		require.Len(t, lines, 1004)
		at := uniseg.StringWidth(lines[0][:strings.Index(lines[0], "points")])
		require.Contains(t, lines[0], "student")
		for _, line := range lines[1:] {
			require.LessOrEqual(t, uniseg.StringWidth(line), width)
			before, _, found := strings.Cut(line, " of 10")
			require.True(t, found, line)
			require.Equal(t, at+2, uniseg.StringWidth(before), line)
		}
		require.Contains(t, text, "1,003 submissions, on average 4")
	}
}

func anyTable() *rapid.Generator[*gradebook.ClassTable] {
	return rapid.Custom(func(t *rapid.T) *gradebook.ClassTable {
		table := &gradebook.ClassTable{Seed: rapid.Uint64().Draw(t, "seed"), Adapter: gradebooktest.Hostile().Draw(t, "adapter")}
		for range rapid.IntRange(0, 5).Draw(t, "students") {
			s := gradebook.Student{Student: gradebooktest.Hostile().Draw(t, "student"), Problems: rapid.SliceOfN(gradebooktest.Hostile(), 0, 3).Draw(t, "problems")}
			s.Points, s.MaxPoints = rapid.Float64Range(0, 100).Draw(t, "points"), rapid.Float64Range(0, 100).Draw(t, "max")
			for _, e := range gradebooktest.Exercises() {
				e.Verdict = rapid.SampledFrom([]gradebook.ExerciseStatus{gradebook.Pass, gradebook.Fail, gradebook.Missing, gradebook.NeedsExecution}).Draw(t, "verdict")
				e.Points = rapid.Float64Range(0, 3).Draw(t, "exercise's points")
				e.Diagnosis, e.Note = gradebooktest.Hostile().Draw(t, "diagnosis"), gradebooktest.Hostile().Draw(t, "note")
				if rapid.Bool().Draw(t, "detail") {
					e.Detail = &verdict.Verdict{Exercise: e.ID, Outcome: verdict.Fail, Diagnosis: verdict.Diagnosis{Message: gradebooktest.Hostile().Draw(t, "message"), Excerpt: gradebooktest.Hostile().Draw(t, "excerpt")}}
				} else {
					e.Detail = nil
				}
				s.Exercises = append(s.Exercises, e)
			}
			table.Submissions = append(table.Submissions, s)
		}
		return table
	})
}

// valid returns text as JSON and XML can carry it.
func valid(text string) string { return strings.ToValidUTF8(text, string(utf8.RuneError)) }

// The output of JSON contains the whole contract, without any null.
func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := anyTable().Draw(t, "table")
		text := written(t, func(w io.Writer) error { return gradebook.JSON(w, table) })
		require.NotContains(t, text, ": null")
		read, err := gradebook.ReadJSON(strings.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, table.Seed, read.Seed)
		require.Len(t, read.Submissions, len(table.Submissions))
		for i, s := range table.Submissions {
			got := read.Submissions[i]
			require.Equal(t, len([]rune(s.Student)), len([]rune(got.Student)))
			require.Equal(t, valid(got.Student), got.Student)
			if utf8.ValidString(s.Student) {
				require.Equal(t, s.Student, got.Student)
			}
			require.Equal(t, [2]float64{s.Points, s.MaxPoints}, [2]float64{got.Points, got.MaxPoints})
			require.Len(t, got.Problems, len(s.Problems))
			require.Len(t, got.Exercises, len(s.Exercises))
			for k, e := range s.Exercises {
				require.Equal(t, []any{e.ID, e.Points, e.MaxPoints, e.Verdict},
					[]any{got.Exercises[k].ID, got.Exercises[k].Points, got.Exercises[k].MaxPoints, got.Exercises[k].Verdict})
			}
		}
	})
}

// A CSV reader gets one row per student with unchanged points. A spreadsheet gets no formula,
// wherever it starts a cell.
func TestCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := anyTable().Draw(t, "table")
		text := written(t, func(w io.Writer) error { return gradebook.CSV(w, table) })
		require.True(t, utf8.ValidString(text))
		require.Equal(t, strings.Count(text, "\n"), strings.Count(text, "\r\n"))
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 1+len(table.Submissions))
		require.Equal(t, []string{"student", "points", "max_points"}, rows[0][:3])
		require.Equal(t, "problems", rows[0][len(rows[0])-1])
		for i, s := range table.Submissions {
			row := rows[1+i]
			var points, most float64
			_, err := fmt.Sscan(row[1]+" "+row[2], &points, &most)
			require.NoError(t, err)
			require.Equal(t, [2]float64{s.Points, s.MaxPoints}, [2]float64{points, most})
			for k, e := range s.Exercises {
				require.Equal(t, e.ID, rows[0][3+k])
				require.Equal(t, e.MaxPoints == 0, row[3+k] == "")
			}
			for _, cell := range []string{row[0], row[len(row)-1]} {
				for part := range strings.SplitSeq(cell, ";") {
					if part = strings.TrimLeft(part, " \"\t"); part != "" {
						require.NotContains(t, "=+-@\r\n\t", part[:1], "%q", cell)
					}
				}
			}
			if strings.Trim(s.Student, "abcdefghijklmnopqrstuvwxyz ") == "" {
				require.Equal(t, s.Student, row[0], "a plain name stays as it is")
			}
		}
	})
}

// JUnit's reports are valid XML whatever they contain, and their counts are right.
func TestJUnitRoundTrip(t *testing.T) {
	type counts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	rapid.Check(t, func(t *rapid.T) {
		table := anyTable().Draw(t, "table")
		text := written(t, func(w io.Writer) error { return gradebook.JUnit(w, table) })
		var read struct {
			counts
			Suites []struct {
				Name string `xml:"name,attr"`
				counts
				Cases []struct {
					Name    string    `xml:"name,attr"`
					Failure *struct{} `xml:"failure"`
					Error   *struct{} `xml:"error"`
					Skipped *struct{} `xml:"skipped"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		require.NoError(t, xml.Unmarshal([]byte(text), &read))
		require.Len(t, read.Suites, len(table.Submissions))
		var total counts
		for i, s := range table.Submissions {
			suite := read.Suites[i]
			require.Len(t, suite.Cases, len(s.Problems)+len(s.Exercises))
			var want counts
			for k, e := range s.Exercises {
				got := suite.Cases[len(s.Problems)+k]
				require.Equal(t, e.ID, got.Name)
				unasked := e.Verdict == gradebook.NeedsExecution || e.MaxPoints == 0
				require.Equal(t, e.Verdict != gradebook.Pass && unasked, got.Skipped != nil)
				require.Equal(t, e.Verdict != gradebook.Pass && !unasked, got.Failure != nil)
				if got.Skipped != nil {
					want.Skipped++
				}
				if got.Failure != nil {
					want.Failures++
				}
			}
			want.Errors, want.Tests = len(s.Problems), len(suite.Cases)
			require.Equal(t, want, suite.counts)
			total.Tests += want.Tests
			total.Failures += want.Failures
			total.Errors += want.Errors
			total.Skipped += want.Skipped
		}
		require.Equal(t, total, read.counts)
	})
}

// A verdict that can't be drawn keeps its outcome in the report, and one line says what is missing.
func TestReportAVerdictThatCantBeDrawn(t *testing.T) {
	table := gradebooktest.Class()
	broken := &verdict.Verdict{
		Outcome: verdict.Fail, Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Message: "Wrong."},
		Reasons: verdict.Reasons{{Why: verdict.Dependency, Text: "it reads too much", Inputs: []verdict.Inputs{{Name: "a", Cells: make([]verdict.InputCell, 1)}}}},
	}
	for i := range table.Submissions[0].Exercises {
		table.Submissions[0].Exercises[i].Detail, table.Submissions[0].Exercises[i].Verdict = broken, gradebook.Fail
	}
	text := written(t, func(w io.Writer) error { return gradebook.JUnit(w, table) })
	require.Contains(t, text, `message="Wrong. (`)
	require.Contains(t, text, "This is a fault in wgslab: please report it.")
	require.Contains(t, text, "integer divide by zero")
}
