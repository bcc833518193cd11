package write

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/view/viewtest"
)

// A cell that writes shows the growing text, the time, and whose shaders ran. With the cache or
// without, a seed writes the same.
func TestText(t *testing.T) {
	t.Chdir(t.TempDir())
	last := func(printed string) string {
		text, _, ok := strings.Cut(printed, "\n• 9 letters in ")
		require.True(t, ok, printed)
		return text[strings.LastIndex(text, "\n")+1:]
	}
	cached := viewtest.Printed(t, func() { Text("Emma wa", 9, 0.3, 4) })
	require.Regexp(t, `^Emma was .{7}$`, last(cached))
	require.Contains(t, cached, "attend      the reference: yours is not written yet")
	anew := viewtest.Printed(t, func() { Anew("Emma wa", 9, 0.3, 4) })
	require.Equal(t, last(cached), last(anew))
	require.Contains(t, anew, "causal-scores  the reference")
	require.NotEqual(t, last(cached), last(viewtest.Printed(t, func() { Text("Emma wa", 9, 3, 5) })))
}

func TestNext(t *testing.T) {
	t.Chdir(t.TempDir())
	// Lesson 16 says these chances, rounded to whole percent.
	for _, said := range []struct {
		text        string
		temperature float64
		chances     string
	}{
		{"Once upon a time", 1, `(?s), █+ +3[34]\.\d %.* 3[12]\.\d %.*\. █+ +1[78]\.\d %`},
		{"Once upon a time", 0.5, `(?s), █+ +4[45]\.\d %.*\. █+ +1[23]\.\d %`},
		{"Mr. Darc", 1, `y █+ +9[89]\.\d %`},
		{"the ", 1, ` s █+ +(9\.\d|10\.\d) %`},
	} {
		require.Regexp(t, said.chances, viewtest.Printed(t, func() { Next(said.text, said.temperature) }))
	}
	require.Regexp(t, `What comes after "Emma wa"(.|\n)* s █+ +\d\d\.\d %`, viewtest.Printed(t, func() { Next("Emma wa", 1) }))
}

func TestLooks(t *testing.T) {
	t.Chdir(t.TempDir())
	printed := viewtest.Printed(t, func() { Looks("a rose", 2) })
	require.Equal(t, 4, strings.Count(printed, "Layer 2, head "), printed)
	require.Contains(t, printed, "head 1: a score loses 0.250 for each letter that it is farther back")
	require.Equal(t, 4, strings.Count(printed, "\n|█·····|\n"), "the first letter sees only itself")
}

func TestTimes(t *testing.T) {
	t.Chdir(t.TempDir())
	require.Regexp(t, `letters so far(.|\n)*\n +10 +\d+(\.\d+)? +\d+(\.\d+)?\n +20 `, viewtest.Printed(t, func() { Times(20) }))
	require.Equal(t, []int{10, 20, 50, 100, 200, 500, 1000}, steps(1023))
}
