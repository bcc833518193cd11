//go:build acceptance

package judge

import (
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
	"github.com/wgslab/wgslab/internal/shader"
)

// nearestBudget is what the search may take natively.
const nearestBudget = 100 * time.Millisecond

// TestNearestOfAllWrongShaders measures the search for the nearest right shader over all wrong shaders
// that compile. It logs how many get a place, how long that took, and how many of the places are true.
//
// A place is true if it is on a line in which the wrong shader differs from the nearest right one of
// its exercise: the reference or one of right/. Before they are compared, comments, space and the sizes
// of workgroups go, and lines with nothing but braces. Variables of the right shader get the names of
// those that the wrong one declares with the same value. The nearest is the one with the smallest
// difference in lines, where a changed line counts once; if several are as near, all their lines are
// true. A line that is missing makes the gap and the lines on both sides of it true. Only shaders with a
// difference of at most two lines count.
func TestNearestOfAllWrongShaders(t *testing.T) {
	var all, small, found, told, right int
	var times []time.Duration
	for _, e := range course.All() {
		rights := rightShaders(t, e)
		paths, err := filepath.Glob(filepath.Join("..", "..", "exercises", e.ID, "wrong", "*.wgsl"))
		require.NoError(t, err)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			r := failing(t, e, string(text))
			if r == nil {
				continue
			}
			all++
			began := time.Now()
			n := r.nearest(t.Context(), nil, nearestBudget)
			times = append(times, time.Since(began))
			if n != nil {
				found++
			}
			lines, size := truth(string(text), rights)
			if size > 2 {
				if n != nil {
					t.Logf("%s/%s far: line %d, %s %s", e.ID, filepath.Base(path), n.Region.Line, n.Kind, n.Edit)
				}
				continue
			}
			small++
			switch {
			case n == nil:
				t.Logf("%s/%s: nothing, in %v; the truth is %v", e.ID, filepath.Base(path), times[len(times)-1].Round(time.Millisecond), lines)
			case slices.Contains(lines, n.Region.Line):
				told, right = told+1, right+1
			default:
				told++
				t.Logf("%s/%s: line %d, %s %s; the truth is %v", e.ID, filepath.Base(path), n.Region.Line, n.Kind, n.Edit, lines)
			}
		}
	}
	slices.Sort(times)
	percent := func(part, whole int) float64 { return math.Round(1000*float64(part)/float64(whole)) / 10 }
	t.Logf("%d wrong shaders: %d (%.1f %%) get a place; %v is the median time and %v the 90th percentile", all, found, percent(found, all), times[len(times)/2], times[len(times)*9/10])
	t.Logf("%d differ in at most two lines: %d (%.1f %%) get a place, and for %d (%.1f %% of those) its line is true", small, told, percent(told, small), right, percent(right, told))
}

// failing returns the run of a shader that compiles and fails; nil for any other.
func failing(t *testing.T, e *course.Exercise, text string) *run {
	t.Helper()
	r := &run{values: exact, watcher: exact, seed: 7, facts: facts{exercise: e, source: shader.Read("try.wgsl", text)}}
	if r.source.Mistake() != nil {
		return nil
	}
	d, err := r.check(t.Context())
	require.NoError(t, err)
	if d == nil || r.shader == nil {
		return nil
	}
	return r
}

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
