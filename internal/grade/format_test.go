package grade_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/golden"
	"github.com/wgslab/wgslab/internal/grade"
	"github.com/wgslab/wgslab/internal/verdict"
	"pgregory.net/rapid"
)

const wrongAdd = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn main() {
    out[0] = a[0] - b[0]; // </pre><script>alert("mine")</script>
}
`

// exercises are every kind of outcome, each with a verdict like those of a check.
func exercises() []grade.Exercise {
	right := &verdict.Verdict{
		Exercise: "hello", Outcome: verdict.Pass, Stage: verdict.StageCompare, Seed: 7, Adapter: "llvmpipe (CPU)", Milliseconds: 31,
		Message: "All 3 cases are right.",
		Cases:   []verdict.CaseResult{{Name: "n = 1", Pass: true}, {Name: "n = 65", Pass: true}, {Name: "n = 1000", Pass: true}},
	}
	wrong := &verdict.Verdict{
		Exercise: "add", Outcome: verdict.Fail, Stage: verdict.StageCompare, Diagnosis: "subtract", Seed: 7, Adapter: "llvmpipe (CPU)", Milliseconds: 12.4,
		Message: "The shader takes `b` from `a`, instead of adding the two.",
		Why:     "The result is right wherever b is 0, and nowhere else.",
		Ask:     "What would 2 and 3 give?",
		Line:    7, Column: 14,
		Cases: []verdict.CaseResult{{Name: "two numbers", FirstMismatch: &verdict.Element{Want: 5, Got: -1}}},
		Mismatch: &verdict.Mismatch{
			Case: "two numbers", Output: "out", Want: 5, Got: -1, Wrong: 1, Of: 1,
			Around: []verdict.Element{{Index: 0, Want: 5, Got: -1}},
		},
	}
	broken := &verdict.Verdict{
		Exercise: "vector-add", Outcome: verdict.Fail, Stage: verdict.StageCompile, Diagnosis: "missing-builtin", Seed: 7, Adapter: "llvmpipe (CPU)", Milliseconds: 3,
		Message: "no definition in scope for identifier: 'id'",
		Why:     "A builtin such as global_invocation_id is not simply there: the entry point must ask for it, as a parameter with an @builtin attribute.",
		Line:    3, Column: 11, Excerpt: "    out[id.x] = a[id.x] + b[id.x];\n        ^^ unknown identifier",
		Cases: []verdict.CaseResult{},
	}
	partial := &verdict.Verdict{
		Exercise: "matmul", Outcome: verdict.Fail, Stage: verdict.StageCompare, Diagnosis: "no-guard", Seed: 7, Adapter: "llvmpipe (CPU)", Milliseconds: 40,
		Message: "Invocations past the edge write too.", Ask: "How many invocations run for a matrix of 3 × 5?",
		Cases: []verdict.CaseResult{{Name: "16 × 16", Pass: true}, {Name: "3 × 5"}},
	}
	stub := &verdict.Verdict{
		Exercise: "saxpy", Outcome: verdict.Fail, Stage: verdict.StageCompare, Diagnosis: "stub", Seed: 7, Adapter: "llvmpipe (CPU)", Milliseconds: 5,
		Message: "The shader writes nothing yet.", Cases: []verdict.CaseResult{{Name: "n = 1"}},
	}
	return []grade.Exercise{
		{ID: "hello", Points: 1, MaxPoints: 1, Verdict: grade.Pass, Detail: right, Source: "// mine\nfn main() {}\n"},
		{ID: "add", MaxPoints: 1, Verdict: grade.Fail, Diagnosis: "subtract", Detail: wrong, Source: wrongAdd},
		{ID: "vector-add", MaxPoints: 2, Verdict: grade.Fail, Diagnosis: "missing-builtin", Detail: broken, Source: "@compute @workgroup_size(64)\nfn main() {\n    out[id.x] = a[id.x] + b[id.x];\n}\n"},
		{ID: "saxpy", MaxPoints: 2, Verdict: grade.Fail, Diagnosis: "stub", Detail: stub, Source: "fn main() {}\n"},
		{ID: "matmul", Points: 1, MaxPoints: 3, Verdict: grade.Fail, Diagnosis: "no-guard", Detail: partial, Source: "fn main() {}\n"},
		{ID: "relu", MaxPoints: 1, Verdict: grade.Missing, Note: "No notebook has a cell that writes this shader."},
		{ID: "forward", Verdict: grade.NeedsExecution, Note: "It is written in Go, which is not run here. It counts neither for nor against."},
	}
}

// class is a small class: somebody with a bit of everything, somebody with
// nothing, and somebody who is not nice.
func class() *grade.Table {
	some := exercises()
	none := exercises()
	for i := range none {
		none[i] = grade.Exercise{ID: none[i].ID, MaxPoints: none[i].MaxPoints, Verdict: grade.Missing, Note: "No notebook has a cell that writes this shader."}
	}
	best := exercises()
	for i := range best[:6] {
		detail := *best[0].Detail
		detail.Exercise = best[i].ID
		best[i] = grade.Exercise{ID: best[i].ID, Points: best[i].MaxPoints, MaxPoints: best[i].MaxPoints, Verdict: grade.Pass, Detail: &detail, Source: best[i].Source}
	}
	return &grade.Table{Seed: 7, Adapter: "llvmpipe (CPU)", Submissions: []grade.Student{
		{Student: `=HYPERLINK("http://127.0.0.1","x")`, MaxPoints: 10, Exercises: none, Problems: []string{"03-matmul.ipynb is no notebook: it is not JSON (line 1).", "05.ipynb: a link that leads out of the zip was left out."}},
		{Student: "Ada Lovelace", Points: 2, MaxPoints: 10, Exercises: some, Problems: []string{}},
		{Student: "李雷", Points: 10, MaxPoints: 10, Exercises: best},
	}}
}

func written(t require.TestingT, write func(io.Writer) error) string {
	var b bytes.Buffer
	require.NoError(t, write(&b))
	return b.String()
}

func TestFormats(t *testing.T) {
	table := class()
	golden.Equal(t, "table.txt", written(t, func(w io.Writer) error { return table.WriteTable(w, 80) }))
	table.Submissions = table.Submissions[1:2]
	golden.Equal(t, "table-one.txt", written(t, func(w io.Writer) error { return table.WriteTable(w, 0) }))
	table = class()
	golden.Equal(t, "table.json", written(t, table.WriteJSON))
	golden.Equal(t, "table.csv", written(t, table.WriteCSV))
	golden.Equal(t, "table.junit.xml", written(t, table.WriteJUnit))
}

// An empty table is a table, in every format.
func TestFormatsOfNobody(t *testing.T) {
	empty := &grade.Table{Seed: 1, Adapter: "none"}
	require.Equal(t, "no submissions\nseed 1, none\n", written(t, func(w io.Writer) error { return empty.WriteTable(w, 80) }))
	require.JSONEq(t, `{"seed": 1, "adapter": "none", "submissions": []}`, written(t, empty.WriteJSON))
	require.Equal(t, "student,points,max_points,problems\r\n", written(t, empty.WriteCSV))
	require.NoError(t, xml.Unmarshal([]byte(written(t, empty.WriteJUnit)), new(struct{})))
}

// The table keeps its columns straight and its width, whatever the names.
func TestTableIsStraight(t *testing.T) {
	for _, width := range []int{60, 80, 200} {
		table := class()
		for i := range 1000 {
			s := table.Submissions[i%3]
			s.Student = fmt.Sprintf("%s %s %d", s.Student, []string{"\x1b[31m", "مریم", "👩‍👩‍👧‍👦", strings.Repeat("Wolfeschlegelstein", 5)}[i%4], i)
			table.Submissions = append(table.Submissions, s)
		}
		text := written(t, func(w io.Writer) error { return table.WriteTable(w, width) })
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
		require.Contains(t, text, "1003 submissions, on average 4")
	}
}

// hostile are names and messages as somebody might make them who means harm.
func hostile() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r\n=1", " =1", "a;=1", "a,b", `"`, `""","=1`, "]]>", "<!--", "&amp;", "\x00\x08\x1b[2J", "\ufffe\uffff", "\xff\xfe", "\u202eevil", "x\u2028y", "'=1", "../../etc/passwd", "CON", "＝1"}),
		rapid.StringMatching(`[=+\-@;,"' \t\r\n<>&a\x00-\x1f]{0,12}`),
	)
}

func anyTable() *rapid.Generator[*grade.Table] {
	return rapid.Custom(func(t *rapid.T) *grade.Table {
		table := &grade.Table{Seed: rapid.Uint64().Draw(t, "seed"), Adapter: hostile().Draw(t, "adapter")}
		for range rapid.IntRange(0, 5).Draw(t, "students") {
			s := grade.Student{Student: hostile().Draw(t, "student"), Problems: rapid.SliceOfN(hostile(), 0, 3).Draw(t, "problems")}
			s.Points, s.MaxPoints = rapid.Float64Range(0, 100).Draw(t, "points"), rapid.Float64Range(0, 100).Draw(t, "max")
			for _, e := range exercises() {
				e.Verdict = rapid.SampledFrom([]grade.Outcome{grade.Pass, grade.Fail, grade.Missing, grade.NeedsExecution}).Draw(t, "verdict")
				e.Points = rapid.Float64Range(0, 3).Draw(t, "exercise's points")
				e.Diagnosis, e.Note = hostile().Draw(t, "diagnosis"), hostile().Draw(t, "note")
				if rapid.Bool().Draw(t, "detail") {
					e.Detail = &verdict.Verdict{Exercise: e.ID, Outcome: verdict.Fail, Message: hostile().Draw(t, "message"), Excerpt: hostile().Draw(t, "excerpt")}
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

// valid is text as JSON and XML carry it.
func valid(text string) string { return strings.ToValidUTF8(text, string(utf8.RuneError)) }

// What WriteJSON writes says all that the contract has, with no null.
func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := anyTable().Draw(t, "table")
		text := written(t, table.WriteJSON)
		require.NotContains(t, text, ": null")
		var read grade.Table
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		require.NoError(t, decoder.Decode(&read))
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

// A CSV reader gets a row a student with the points as they are, and no
// spreadsheet gets a formula, wherever it thinks that cells begin.
func TestCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := anyTable().Draw(t, "table")
		text := written(t, table.WriteCSV)
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

// JUnit's reports are XML whatever they hold, and their counts are true.
func TestJUnitRoundTrip(t *testing.T) {
	type counts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	rapid.Check(t, func(t *rapid.T) {
		table := anyTable().Draw(t, "table")
		text := written(t, table.WriteJUnit)
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
				unasked := e.Verdict == grade.NeedsExecution || e.MaxPoints == 0
				require.Equal(t, e.Verdict != grade.Pass && unasked, got.Skipped != nil)
				require.Equal(t, e.Verdict != grade.Pass && !unasked, got.Failure != nil)
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
