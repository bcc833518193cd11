package verdict_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Changes have two lines of context. What changes may begin as the head of a diff does.
func TestChanges(t *testing.T) {
	for _, row := range []struct{ before, after, want string }{
		{"a\nb\n", "a\nb\n", ""},
		{"a", "b", "-a +b"},
		{"", "a\n\nb", "+a + +b"},
		{"1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\nx\n5\n6\n7\n", " 2  3 -4 +x  5  6"},
		{"a\n1\n2\n3\n4\nb\n", "A\n1\n2\n3\n4\nB\n", "-a +A  1  2  3  4 -b +B"},
		{"a\n1\n2\n3\n4\n5\nb\n", "A\n1\n2\n3\n4\n5\nB\n", "-a +A  1  2  …  4  5 -b +B"},
		{"--i;\n@@ x\n", "++i;\n@@ x\n", "---i; +++i;  @@ x"},
		{"a\nb", "a\n", " a -b"},
		{"a", "a\n", "-a +a"},
	} {
		var said []string
		for _, c := range verdict.Of(row.before, row.after) {
			said = append(said, map[string]string{"kept": " ", "taken": "-", "added": "+"}[c.Kind]+c.Text)
		}
		require.Equal(t, row.want, strings.Join(said, " "), "%q to %q", row.before, row.after)
	}
}

// A remark helps if a value is wrong. Without a wrong value, it helps if it explains an index that
// no buffer has.
func TestWhatElseIsTold(t *testing.T) {
	write := findings.Finding{Kind: "out-of-bounds-write", Variable: "out", Index: 1<<32 - 1, Message: "it writes out"}
	wraps := findings.Finding{Kind: "wrapped", Severity: findings.Remark, Message: "0 - 1 became 4294967295"}
	of := func(seen ...findings.Finding) *verdict.Verdict {
		return &verdict.Verdict{Diagnosis: verdict.Diagnosis{Slug: "out-of-bounds-write", Message: english.Sentence(write.Message)}, Findings: seen}
	}
	require.Equal(t, []string{english.Sentence(wraps.Message)}, of(write, wraps).Also())

	somebodyElse := wraps
	somebodyElse.Invocation = [3]uint32{7, 0, 0}
	require.Empty(t, of(write, somebodyElse).Also())

	here := write
	here.Case = "n = 7"
	shown := of(here)
	shown.Mismatch = &verdict.Mismatch{Case: "n = 7"}
	require.Empty(t, shown.Also())
	shown.Mismatch.Case = "n = 65"
	require.Empty(t, shown.Also(), "the story tells it, of whatever case")
	shown.Message = "The surplus invocations write as well."
	require.Equal(t, []string{"Case n = 7: it writes out."}, shown.Also())
	shown.Why = "It writes out."
	require.Empty(t, shown.Also(), "the reason tells it")

	// A second finding of a kind is no news, and one of another kind is.
	second, read := here, here
	second.Message, second.Line = "it writes out[2]", 9
	read.Kind, read.Message = "out-of-bounds-read", "it reads a[2]"
	several := &verdict.Verdict{Diagnosis: verdict.Diagnosis{Slug: "fixed-length", Message: "Only the first 64 elements are written."}, Findings: []findings.Finding{here, second, read}}
	require.Equal(t, []string{"It writes out.", "It reads a[2]."}, several.Also())
	several.Why = "It writes out."
	require.Equal(t, []string{"It reads a[2]."}, several.Also())
	several.Why, several.Tells = "Invocation 1 writes elsewhere.", "out-of-bounds-write"
	require.Equal(t, []string{"It reads a[2]."}, several.Also())

	near := write
	near.Index = 65
	require.Empty(t, of(near, wraps).Also())

	wrong := of(near, wraps)
	wrong.Mismatch = new(verdict.Mismatch)
	require.Len(t, wrong.Also(), 1)
}
