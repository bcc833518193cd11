package verdict_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/verdict"
)

// A remark helps where a value is wrong; without one, where it says how an index came
// to be that no buffer has.
func TestWhatElseIsTold(t *testing.T) {
	write := verdict.Finding{Kind: "out-of-bounds-write", Severity: "error", Index: 1<<32 - 1, Message: "it writes out"}
	wraps := verdict.Finding{Kind: "wrapped", Severity: "remark", Message: "0 - 1 became 4294967295"}
	of := func(findings ...verdict.Finding) *verdict.Verdict {
		return &verdict.Verdict{Findings: findings, Message: verdict.Sentence(write.Message)}
	}
	require.Equal(t, []string{verdict.Sentence(wraps.Message)}, of(write, wraps).Also())

	somebodyElse := wraps
	somebodyElse.Invocation = [3]uint32{7, 0, 0}
	require.Empty(t, of(write, somebodyElse).Also())

	near := write
	near.Index = 65
	require.Empty(t, of(near, wraps).Also())

	wrong := of(near, wraps)
	wrong.Mismatch = new(verdict.Mismatch)
	require.Len(t, wrong.Also(), 1)
}
