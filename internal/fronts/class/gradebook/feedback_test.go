package gradebook_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook/gradebooktest"
	"pgregory.net/rapid"
)

// pages writes the pages of a table, and returns the folder and their names.
func pages(t testing.TB, table *gradebook.ClassTable) (dir string, files []string) {
	dir = t.TempDir()
	require.NoError(t, gradebook.Write(dir, table))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		files = append(files, e.Name())
	}
	return dir, files
}

func read(t testing.TB, path ...string) string {
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}

// page returns the file that the index links for a student.
func page(t testing.TB, dir, student string) string {
	link := regexp.MustCompile(`<a href="([^"]+)"><bdi>` + regexp.QuoteMeta(student) + `</bdi>`).FindStringSubmatch(read(t, dir, "index.html"))
	require.NotNil(t, link, "the index links no page of %s", student)
	file, err := url.PathUnescape(link[1])
	require.NoError(t, err)
	return read(t, dir, file)
}

func TestFeedback(t *testing.T) {
	dir, files := pages(t, gradebooktest.Class())
	require.Len(t, files, 4)

	ada := page(t, dir, "Ada Lovelace")
	for _, want := range []string{
		`<strong>2</strong> of 10 points`,
		`1 exercise is right, and 3 on the way.`,
		`What would 2 and 3 give?`,                  // the verdict, with its question
		`should be 5, but is -1.`,                   // and the element
		`class="here">    out[0] = a[0] - b[0]; //`, // the line that it is about
		`&lt;/pre&gt;&lt;script&gt;alert(`,          // which is text
		`<span class="file">02-add.ipynb</span>`,
		`It doesn&#39;t affect the points.`,
	} {
		require.Contains(t, ada, want)
	}
	require.NotContains(t, ada, "<script")
	require.Equal(t, 2, strings.Count(ada, `class="here"`), "one line in each shader whose verdict names one")
	again, right, open := strings.Index(ada, "<h2>Worth another look"), strings.Index(ada, "<h2>Right"), strings.Index(ada, "<h2>Still open")
	for id, section := range map[string][2]int{"add": {again, right}, "vector-add": {again, right}, "matmul": {again, right}, "hello": {right, open}, "saxpy": {open, len(ada)}, "relu": {open, len(ada)}, "forward": {open, len(ada)}} {
		at := strings.Index(ada, `id="`+id+`"`)
		require.Truef(t, section[0] < at && at < section[1], "%s is at %d, outside %v", id, at, section)
	}

	best := page(t, dir, "李雷")
	require.NotContains(t, best, "Worth another look")
	require.Contains(t, best, "6 exercises are right, and none is wrong.")
	none := page(t, dir, `=HYPERLINK(&#34;http://127.0.0.1&#34;,&#34;x&#34;)`)
	require.Contains(t, none, "You haven&#39;t started an exercise yet.")
	require.Contains(t, none, "03-matmul.ipynb isn&#39;t a notebook: it is not JSON (line 1).")

	index := read(t, dir, "index.html")
	require.Contains(t, index, "3 submissions, on average 4 of 10 points")
	require.Contains(t, index, "missing-builtin (1)")
	require.Contains(t, index, "03-matmul.ipynb isn&#39;t a notebook")
}

// A right shader's page names the goals, and the line that misses one.
func TestFeedbackOnCosts(t *testing.T) {
	dir, _ := pages(t, gradebooktest.WithCosts())
	ada := page(t, dir, "Ada Lovelace")
	for _, want := range []string{
		"What it costs: 0 of 0.5", "<li>✓ coalesced</li>", "<li>· few barriers: 9 barriers, most on line 4; 3 would reach it",
		"workgroupBarrier(); // &lt;/code&gt;&lt;script&gt;", "Who has to wait?",
	} {
		require.Contains(t, ada, want)
	}
	require.Contains(t, page(t, dir, "李雷"), "What it costs: 0.5 of 0.5")
	require.Contains(t, read(t, dir, "index.html"), `<th class="n">all goals</th>`)
	dir, _ = pages(t, gradebooktest.Class())
	require.NotContains(t, page(t, dir, "Ada Lovelace"), "What it costs")
}

// An existing page is replaced. The target of a link stays as it is, and no partial file remains.
func TestFeedbackReplaces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	table := gradebooktest.Class()
	table.Submissions = table.Submissions[1:2]
	table.Submissions[0].Student = "ada"
	require.NoError(t, gradebook.Write(dir, table))
	mine := filepath.Join(t.TempDir(), "mine")
	require.NoError(t, os.WriteFile(mine, []byte("mine"), 0o644))
	require.NoError(t, os.Remove(filepath.Join(dir, "ada.html")))
	require.NoError(t, os.Symlink(mine, filepath.Join(dir, "ada.html")))
	table.Submissions[0].Points = 9
	require.NoError(t, gradebook.Write(dir, table))
	require.Equal(t, "mine", read(t, mine))
	require.Contains(t, read(t, dir, "ada.html"), "<strong>9</strong> of 10 points")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2)
}

// If a folder cannot be written, the error names it.
func TestFeedbackNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	require.ErrorContains(t, gradebook.Write(file, gradebooktest.Class()), file)
}

// Every student has a separate page with a name that is safe on any system, whatever the student's
// name.
func TestFeedbackFileNames(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		table := &gradebook.ClassTable{}
		names := rapid.SliceOfN(rapid.OneOf(gradebooktest.Hostile(), rapid.SampledFrom([]string{
			"ada", "Ada", "ADA", "index", "INDEX", "index.html", "con", "nul.txt", "..", ".", ".hidden", "-rf", "a/b", `a\b`, "a.", "é", "e\u0301", "ada~00000000",
			strings.Repeat("long", 99), strings.Repeat("長", 99),
		})), 1, 12).Draw(t, "students")
		for i, name := range names {
			table.Submissions = append(table.Submissions, gradebook.Student{Student: name, Points: float64(i), MaxPoints: 1000})
		}
		run := filepath.Join(dir, fmt.Sprint(time.Now().UnixNano()))
		require.NoError(t, gradebook.Write(run, table))
		entries, err := os.ReadDir(run)
		require.NoError(t, err)
		require.Len(t, entries, 1+len(names), "no page took another's place")
		folded := map[string]bool{}
		for _, e := range entries {
			name := e.Name()
			require.Regexp(t, `^[\pL\pN][\pL\pN_.~-]*\.html$`, name)
			require.LessOrEqual(t, len(name), 200)
			require.NotRegexp(t, `(?i)^(con|nul)\.`, name)
			require.False(t, folded[strings.ToLower(name)], name)
			folded[strings.ToLower(name)] = true
		}
		index, err := os.ReadFile(filepath.Join(run, "index.html"))
		require.NoError(t, err)
		links := regexp.MustCompile(`<a href="([^"]+)">`).FindAllStringSubmatch(string(index), -1)
		require.Len(t, links, len(names))
		for i, link := range links {
			file, err := url.PathUnescape(link[1])
			require.NoError(t, err)
			text, err := os.ReadFile(filepath.Join(run, file))
			require.NoError(t, err)
			require.Contains(t, string(text), fmt.Sprintf("<strong>%d</strong> of 1000 points", i), "the page of %q", names[i])
		}
	})
}

// A page's name does not depend on the rest of the class, unless two names would give the same
// file.
func TestFeedbackFileNamesStay(t *testing.T) {
	_, alone := pages(t, &gradebook.ClassTable{Submissions: []gradebook.Student{{Student: "Ada Lovelace"}}})
	_, together := pages(t, &gradebook.ClassTable{Submissions: []gradebook.Student{{Student: "ada lovelace"}, {Student: "Ada-Lovelace"}, {Student: "Ada Lovelace"}, {Student: "bob"}}})
	require.Subset(t, together, alone)
	require.Contains(t, together, "bob.html")
}

// A page says where to look.
func TestFeedbackHasReasons(t *testing.T) {
	dir, _ := pages(t, &gradebook.ClassTable{Submissions: []gradebook.Student{{Student: "ada", Exercises: gradebooktest.Exercises()}}})
	ada := read(t, dir, "ada.html")
	require.Contains(t, ada, "Which operator do you need on line 7?")
	require.Contains(t, ada, `<span data-n="7" class="here">    out[0] = a[0] - b[0];`)
}

// How long a check took differs from run to run, and says nothing about the shader.
func TestFeedbackIsTheSameEachTime(t *testing.T) {
	class := func(milliseconds float64) *gradebook.ClassTable {
		all := gradebooktest.Exercises()
		for _, e := range all {
			if e.Detail != nil {
				e.Detail.Milliseconds = milliseconds
			}
		}
		return &gradebook.ClassTable{Submissions: []gradebook.Student{{Student: "ada", Exercises: all}}}
	}
	quick, _ := pages(t, class(3))
	slow, _ := pages(t, class(41_000))
	require.Equal(t, read(t, quick, "ada.html"), read(t, slow, "ada.html"))
}

// A very long shader is cut around the line that matters, and the page says so.
func TestFeedbackOfALongShader(t *testing.T) {
	lines := strings.Split(strings.Repeat("x\n", 3000), "\n")
	lines[1499] = "the one " + strings.Repeat("y", 5000)
	e := gradebooktest.Exercises()[1]
	e.Source = strings.Join(lines, "\r\n") + "\u202e\x00"
	e.Detail.Places = []verdict.Place{{Line: 1500}}
	dir, _ := pages(t, &gradebook.ClassTable{Submissions: []gradebook.Student{{Student: "ada", Exercises: []gradebook.ExerciseResult{e}}}})
	ada := read(t, dir, "ada.html")
	require.Contains(t, ada, "Your shader, lines 1301 to 1700 of 3001")
	require.Contains(t, ada, `<span data-n="1500" class="here">the one yyy`)
	require.Less(t, len(ada), 60<<10)
}

// A verdict that can't be drawn keeps its outcome on the page, and one line says what is missing.
func TestAVerdictThatCantBeDrawn(t *testing.T) {
	table := gradebooktest.Class()
	broken := &verdict.Verdict{
		Exercise: "vector-add", Outcome: verdict.Fail, Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Message: "Wrong."},
		Reasons: verdict.Reasons{{Why: verdict.Dependency, Text: "it reads too much", Inputs: []verdict.Inputs{{Name: "a", Cells: make([]verdict.InputCell, 1)}}}},
	}
	require.Panics(t, func() { _ = broken.HTML() }, "a picture of no columns")
	for _, s := range table.Submissions {
		for i := range s.Exercises {
			s.Exercises[i].Detail = broken
		}
	}
	dir, files := pages(t, table)
	require.Len(t, files, 4)
	drawn := page(t, dir, "Ada Lovelace")
	require.Contains(t, drawn, "<p>"+broken.Headline()+"</p>")
	require.Contains(t, drawn, "The rest can't be shown. This is a fault in wgslab")
	require.Contains(t, drawn, "integer divide by zero")
}
