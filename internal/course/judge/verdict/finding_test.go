package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

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
