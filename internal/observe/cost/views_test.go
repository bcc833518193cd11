package cost

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// If two limits take as long, the note names each of them once, as the head of the card does.
func TestTheSameTimeByOtherCounts(t *testing.T) {
	total := func(moved, turns float64) *DispatchCost {
		return &DispatchCost{Total: Total{Moved: moved, Turns: turns}}
	}
	bound := func(limit string, seconds float64) LowerBound {
		return LowerBound{Seconds: seconds, Limits: []Limit{{limit, seconds}}}
	}
	for _, c := range []struct {
		Comparison
		said string
	}{
		{Comparison{Yours: total(8, 1), Reference: total(1, 1), Bound: bound(Requests, 1), ReferenceBound: bound(Memory, 1)},
			"Yours has 8 times as many bytes moved by neighbours as the reference. It is limited by requests, and the reference by memory, which takes as long here. Where memory is faster, you would see the difference."},
		{Comparison{Yours: total(1, 4), Reference: total(1, 1), Bound: bound(Memory, 1.05), ReferenceBound: bound(Memory, 1)},
			"Yours has 4 times as many turns of the banks as the reference. But memory takes longer than that in both, and a GPU works on all of it at once. Where memory is faster, you would see the difference."},
		{Comparison{Yours: total(8, 1), Reference: total(1, 1), Bound: bound(Requests, 2), ReferenceBound: bound(Memory, 1)}, ""},
		{Comparison{Yours: total(1, 1), Reference: total(1, 1), Bound: bound(Latency, 1), ReferenceBound: bound(Memory, 1)}, ""},
	} {
		require.Equal(t, c.said, c.hidden())
	}
}
