package verdict_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
)

// Long code ends between two tokens.
func TestShortCode(t *testing.T) {
	const code = "total += a_tile[local.y][i] * b_tile[i][local.x]"
	require.Equal(t, code, verdict.ShortCode(code, 48))
	require.Equal(t, "total += a_tile[local.y][i] * b_tile[i][ …", verdict.ShortCode(code, 44))
	require.Equal(t, "total += …", verdict.ShortCode(code, 16))
	require.Equal(t, "…", verdict.ShortCode("a_name_too_long", 8))
}

// A repeated step shows its first rounds and the last, and no empty list.
func TestRoundsOfAnOrigin(t *testing.T) {
	sum := verdict.OriginStep{Text: "sum += a[k]", Value: "70", Line: 7, Times: 5, Rounds: "2, 8, …, 70", From: []verdict.OriginStep{
		{Text: "a[0]", Value: "2", Round: 1}, {Text: "a[1]", Value: "6", Round: 2}, {Text: "a[4]", Value: "30", Round: 5},
	}}
	o := verdict.Origin{OriginStep: sum}
	require.Equal(t, []verdict.OriginLine{
		{Depth: 0, Text: "`sum += a[k]` is 70, line 7, by invocation 0 of workgroup 0, in 5 rounds: 2, 8, …, 70"},
		{Depth: 1, Text: "round 1: `a[0]` is 2, as the host gave it"},
		{Depth: 1, Text: "round 2: `a[1]` is 6, as the host gave it"},
		{Depth: 1, Text: "round 5: `a[4]` is 30, as the host gave it"},
	}, o.Lines())
	o.OriginStep = verdict.OriginStep{Text: "c++", Value: "3", Line: 7, Times: 2, Rounds: "2, 3"}
	require.Equal(t, "`c++` is 3, line 7, by invocation 0 of workgroup 0, in 2 rounds: 2, 3", o.Lines()[0].Text)
}

// The trace of a wrong element tells of the numbers in the table. One of another case is left out,
// in the list of what there is as well.
func TestTheTraceIsOfTheCaseInTheTable(t *testing.T) {
	origin := &verdict.Origin{Case: "5 × 10", OriginStep: verdict.OriginStep{Text: "out[0]", Value: "7"}}
	for _, c := range []struct {
		table *verdict.Mismatch
		shown bool
	}{
		{nil, true},
		{&verdict.Mismatch{Case: "5 × 10"}, true},
		{&verdict.Mismatch{Case: "1 × 1"}, false},
	} {
		v := &verdict.Verdict{Outcome: verdict.Fail, Origin: origin, Diagnosis: verdict.Diagnosis{Mismatch: c.table}}
		require.Equal(t, c.shown, v.More().Origin != nil, c.table)
		require.Equal(t, c.shown, strings.Contains(v.Holds(), "out[0]"), v.Holds())
	}
}
