//go:build acceptance

package judge

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// oneIn is how many shaders one is measured of. Without the race detector it is every one, and only
// then do the shares count. The suite runs this package without it:
//
//	go test -tags acceptance ./internal/judge -run 'EveryWrong|LearnersTries' -v
var oneIn = 1

// TestEveryWrongShaderGetsAReason measures, over all wrong shaders of the exercises that compile, how
// many get a reason and how many of the places are true. The catalogue of misconceptions is off.
//
// A place is true if it is on a line in which the wrong shader differs from the nearest right one of
// its exercise: the reference or one of right/. Before they are compared, comments, space and the sizes
// of workgroups go, and lines with nothing but braces. Variables of the right shader get the names of
// those that the wrong one declares with the same value. The nearest is the one with the smallest
// difference in lines, where a changed line counts once; if several are as near, all their lines are
// true. A line that is missing makes the gap and the lines on both sides of it true. Only shaders with a
// difference of at most two lines count.
func TestEveryWrongShaderGetsAReason(t *testing.T) {
	var m measured
	for _, e := range course.All() {
		rights := rightShaders(t, e)
		paths, err := filepath.Glob(filepath.Join("..", "..", "exercises", e.ID, "wrong", "*.wgsl"))
		require.NoError(t, err)
		for i, path := range paths {
			if i%oneIn > 0 {
				continue
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			if e.Hides(string(text)) {
				continue // the learner looks for the place: no verdict tells it
			}
			lines, size := truth(string(text), rights)
			if size > 2 {
				lines = nil
			}
			m.measure(t, e, e.ID+"/"+filepath.Base(path), string(text), lines)
		}
	}
	m.log(t)
	require.Empty(t, m.passed, "they are wrong")
	if oneIn == 1 {
		require.Greater(t, percent(m.told+m.seen, m.all), 94.0)
		require.Greater(t, percent(m.first, m.known), 88.0)
	}
}

// TestLearnersTries measures the same for shaders that were written from the lessons alone, without
// sight of this code or of the exercises' folders. Their true lines were noted by hand.
func TestLearnersTries(t *testing.T) {
	folder := filepath.Join("testdata", "learners")
	text, err := os.ReadFile(filepath.Join(folder, "truth.json"))
	require.NoError(t, err)
	var truth []struct {
		Exercise, File string
		Lines          []int
	}
	require.NoError(t, json.Unmarshal(text, &truth))
	var m measured
	for i, tried := range truth {
		if i%oneIn > 0 {
			continue
		}
		e, err := course.Find(tried.Exercise)
		require.NoError(t, err)
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(tried.File)))
		require.NoError(t, err)
		m.measure(t, e, tried.File, string(text), tried.Lines)
	}
	m.log(t)
	require.Empty(t, m.passed, "they are wrong")
}

// measured counts shaders: all that ran and failed, those with a reason, those without one in which
// the simulator saw a mistake happen, those with known true lines, those of them whose first place is true, and those with a true one among the first three.
type measured struct {
	all, told, seen, known, first, three int
	passed                               []string
	times, firstWords                    []time.Duration
}

func (m *measured) measure(t *testing.T, e *course.Exercise, name, text string, lines []int) {
	t.Helper()
	began := time.Now()
	r, v, err := begin(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, shader.Read("try.wgsl", text), 7, e.Draw(7))
	defer r.free()
	require.NoError(t, err, name)
	m.firstWords = append(m.firstWords, time.Since(began))
	switch {
	case v.Passed():
		m.passed = append(m.passed, name)
		return
	case v.Stage == verdict.StageCompile || v.Stage == verdict.StageBind:
		return
	}
	diagnosed := v.Diagnosis
	v.Diagnosis = "" // as if no misconception were known
	began = time.Now()
	r.input().Explain(t.Context(), v)
	m.times = append(m.times, time.Since(began))
	m.all++
	switch {
	case len(v.Reasons) > 0:
		m.told++
	case slices.ContainsFunc(v.Findings, func(f findings.Finding) bool { return f.IsError() }):
		m.seen++
	}
	var texts []string
	for _, reason := range v.Reasons {
		texts = append(texts, fmt.Sprintf("[%s, line %d] %s (%s)", reason.Why, reason.Line, reason.Text, reason.Hint))
	}
	at := slices.IndexFunc(v.Places, func(p verdict.Place) bool { return slices.Contains(lines, p.Line) })
	t.Logf("%s (%s): true %v, at place %d of %v\n\t%s", name, diagnosed, lines, at+1, v.Places, strings.Join(texts, "\n\t"))
	if len(lines) == 0 {
		return
	}
	m.known++
	if at == 0 {
		m.first++
	}
	if at >= 0 && at < 3 {
		m.three++
	}
}

func (m *measured) log(t *testing.T) {
	for _, times := range [][]time.Duration{m.times, m.firstWords} {
		slices.Sort(times)
	}
	t.Logf("%d wrong shaders run and fail, %d pass %q; %d (%.1f %%) get a reason, and in %d more a mistake was seen happening (%.1f %% together); median %v, 90th percentile %v; the verdict before that: median %v", m.all, len(m.passed), m.passed, m.told, percent(m.told, m.all), m.seen, percent(m.told+m.seen, m.all),
		m.times[len(m.times)/2], m.times[len(m.times)*9/10], m.firstWords[len(m.firstWords)/2])
	t.Logf("of %d the true lines are known: for %d (%.1f %%) the first place is true, for %d (%.1f %%) one of the first three", m.known, m.first, percent(m.first, m.known), m.three, percent(m.three, m.known))
}

func percent(part, whole int) float64 { return math.Round(1000*float64(part)/float64(whole)) / 10 }

func rightShaders(t *testing.T, e *course.Exercise) []string {
	t.Helper()
	reference, err := e.Reference()
	require.NoError(t, err)
	texts := []string{reference.Text}
	paths, err := filepath.Glob(filepath.Join("..", "..", "exercises", e.ID, "right", "*.wgsl"))
	require.NoError(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts = append(texts, string(text))
	}
	return texts
}

// A line is what is compared of a line of a shader, with its number.
type line struct {
	text   string
	number int
}

var (
	comments = regexp.MustCompile(`//[^\n]*`)
	braces   = regexp.MustCompile(`^[{}]*$`)
)

var sizes = regexp.MustCompile(`@workgroup_size\([^)]*\)`)

func linesOf(text string) []line {
	var lines []line
	for i, l := range strings.Split(comments.ReplaceAllString(text, ""), "\n") {
		l = strings.Join(strings.Fields(sizes.ReplaceAllString(l, "@workgroup_size")), "")
		if !braces.MatchString(l) {
			lines = append(lines, line{l, i + 1})
		}
	}
	return lines
}

// declarations matches what declares a local name: its name and its value, or the builtin value.
var declarations = regexp.MustCompile(`(?:let|var)\s+(\w+)[^=;\n]*=\s*([^;\n]+);|@builtin\((\w+)\)\s*(\w+)`)

// renamed returns the right shader with the names of the wrong one.
func renamed(right, wrong string) string {
	type name struct{ name, value string }
	declared := func(text string) (names []name) {
		for _, m := range declarations.FindAllStringSubmatch(text, -1) {
			names = append(names, name{m[1] + m[4], m[2] + m[3]})
		}
		return names
	}
	for i := range declared(right) {
		from := declared(right)[i] // the values change with the names
		for _, to := range declared(wrong) {
			taken := regexp.MustCompile(`\b` + to.name + `\b`).MatchString(right)
			if to.value == from.value && !taken {
				right = regexp.MustCompile(`\b`+from.name+`\b`).ReplaceAllString(right, to.name)
				break
			}
		}
	}
	return right
}

// truth returns the lines in which a shader differs from the nearest of the right ones, and in how
// many.
func truth(wrong string, rights []string) (lines []int, size int) {
	size = math.MaxInt
	for _, right := range rights {
		switch l, n := differing(linesOf(wrong), linesOf(renamed(right, wrong))); {
		case n < size:
			lines, size = l, n
		case n == size:
			lines = append(lines, l...)
		}
	}
	return lines, size
}

// differing returns the lines of a in which it differs from b, and how many are changed, missing or
// too many.
func differing(a, b []line) (lines []int, size int) {
	common := make([][]int, len(a)+1) // the length of the longest common subsequence from i and j on
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i].text == b[j].text {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		from, added := i, 0
		for i < len(a) || j < len(b) {
			if i < len(a) && j < len(b) && a[i].text == b[j].text {
				break
			}
			if j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				j, added = j+1, added+1
			}
		}
		size += max(i-from, added)
		lines = append(lines, changed(a, from, i, added)...)
		for i < len(a) && j < len(b) && a[i].text == b[j].text {
			i, j = i+1, j+1
		}
	}
	return lines, size
}

// changed returns the numbers of a[from:to], in whose place so many lines are added.
func changed(a []line, from, to, added int) (numbers []int) {
	if added <= to-from {
		for _, l := range a[from:to] {
			numbers = append(numbers, l.number)
		}
		return numbers
	}
	first, last := a[max(from-1, 0)].number, a[min(to, len(a)-1)].number
	for n := first; n <= last; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}
