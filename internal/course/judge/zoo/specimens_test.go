package zoo_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/judge/zoo"
)

// The true lines of the course's mistakes follow from the edits in wrong.md: changed lines are
// true, and so are both sides of a gap.
func TestTrueLines(t *testing.T) {
	all, err := zoo.Planted()
	require.NoError(t, err)
	for name, want := range map[string]struct {
		kind  zoo.MistakeKind
		lines []string
	}{
		"vector-add/wrong/copies-a.wgsl":      {zoo.Calculating, []string{"out[i] = a[i];"}},
		"gemv-half/wrong/no-barrier.wgsl":     {zoo.Waiting, []string{"parts[id] = together;", "if (me == 0u) {"}},
		"gemv-half/wrong/row-of-k-words.wgsl": {zoo.Indexing, []string{"let pair = unpack2x16float(w[group.x * dims.k + i]);"}},
	} {
		i := slices.IndexFunc(all, func(s zoo.Specimen) bool { return s.Name == name })
		require.GreaterOrEqual(t, i, 0, name)
		require.Equal(t, want.kind, all[i].Kind, name)
		require.Len(t, all[i].Lines, len(want.lines), name)
		for k, line := range want.lines {
			require.Equal(t, line, lineOf(all[i].Text, all[i].Lines[k]), name)
		}
	}
	known := 0
	for _, s := range all {
		if len(s.Lines) > 0 {
			known++
		}
	}
	require.Greater(t, known, len(all)*2/3)
	require.Equal(t, zoo.Share(all, 8, 3), zoo.Share(all, 8, 3), "a seed draws one share")
	require.Len(t, zoo.Share(all, 1, 3), len(all))
}

// Places that are as likely as each other count at the worst rank.
func TestTiesCountAtTheWorstRank(t *testing.T) {
	places := []verdict.Place{{Line: 3}, {Line: 5, Tied: true}, {Line: 9}}
	for line, rank := range map[int]int{3: 2, 5: 2, 9: 3, 4: 0} {
		require.Equal(t, rank, zoo.RankOf(places, []int{line}), line)
	}
}

// A folder of labelled shaders holds what was written, never replaces anything, and names what it
// can't read.
func TestLabelledShaders(t *testing.T) {
	all, err := zoo.Planted()
	require.NoError(t, err)
	some, dir := zoo.Share(all, 300, 1), filepath.Join(t.TempDir(), "places")
	require.NoError(t, zoo.WriteLabelled(dir, some))
	read, err := zoo.ReadLabelled(dir)
	require.NoError(t, err)
	require.Len(t, read, len(some))
	for i, s := range read {
		require.Equal(t, some[i].Text, s.Text)
		require.NotContains(t, s.Text, "// diagnosis:", "it would tell the mistake")
		require.Equal(t, some[i].Lines, s.Lines)
		require.Equal(t, some[i].Kind, s.Kind)
		require.FileExists(t, filepath.Join(dir, "tasks", s.Exercise.ID+".md"))
	}
	require.ErrorContains(t, zoo.WriteLabelled(dir, some), "isn't empty")
	for lines, says := range map[string]string{"3, 7-9": "", "7-": "no line", "0": "no line", "9-7": "no line"} {
		table := "hello.wgsl\thello\twrong\tindex\tsome mistake\t" + lines + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "labels.tsv"), []byte(table), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "hello.wgsl"), []byte("// nothing\n"), 0o644))
		read, err = zoo.ReadLabelled(dir)
		if says != "" {
			require.ErrorContains(t, err, says)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []int{3, 7, 8, 9}, read[0].Lines)
	}
}

func lineOf(text string, number int) string {
	return strings.TrimSpace(strings.Split(text, "\n")[number-1])
}
