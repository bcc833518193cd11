package judge

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A shader in a cell gets the verdict of its file, except that each line is the cell's: one more.
func TestLinesOfACell(t *testing.T) {
	for _, path := range []string{
		"vector-add/wrong/int-loop.wgsl", "vector-add/wrong/minus.wgsl", "vector-add/wrong/still-index-zero.wgsl",
		"row-max/wrong/early-return.wgsl", "row-max/wrong/no-barriers-small.wgsl", "softmax/wrong/no-max.wgsl",
	} {
		id, _, _ := strings.Cut(path, "/")
		e, err := course.Find(id)
		require.NoError(t, err)
		text, err := exercises.Files.ReadFile(path)
		require.NoError(t, err)
		inFile, inCell := verdictOf(t, e, shader.Read(path, string(text))), verdictOf(t, e, shader.ReadCell(path, string(text)))
		require.NotEmpty(t, inFile.Places, path)
		for i, p := range inCell.Places {
			require.Equal(t, inFile.Places[i].Line+1, p.Line, path)
		}
		require.Equal(t, oneMore(words(inFile.Text())), words(inCell.Text())) // but the line after --break is the file's
		require.Equal(t, oneMore(words(inFile.Reasons.Text())), words(inCell.Reasons.Text()))
		require.Equal(t, inFile.ShaderSHA256, inCell.ShaderSHA256)
	}
}

func verdictOf(t *testing.T, e *course.Exercise, source *shader.Source) *verdict.Verdict {
	t.Helper()
	v, err := Explain(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, source, 1, nil)
	require.NoError(t, err)
	v.Milliseconds = 0
	return v
}

// words drops the line breaks and indents of a text: they depend on how long the numbers are.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

var (
	mention = regexp.MustCompile(`(?i)\bline \d+|\blines \d+ and \d+|\d+ \|`) // 12 | is in an excerpt
	number  = regexp.MustCompile(`\d+`)
)

// oneMore adds 1 to each line that a text mentions.
func oneMore(text string) string {
	return mention.ReplaceAllStringFunc(text, func(m string) string {
		return number.ReplaceAllStringFunc(m, func(digits string) string {
			n, _ := strconv.Atoi(digits)
			return strconv.Itoa(n + 1)
		})
	})
}
