package ladder

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// Lesson 11 asks what these pairs of rungs cost, and its answers hold.
func TestTheAnswersOfTheLadder(t *testing.T) {
	on := cost.Usual
	pairs := func(before, after string) (p pair, ratio float64) {
		p, err := count(t.Context(), on, before, after)
		require.NoError(t, err)
		return p, p.reports[0].On(p.on).Seconds / p.reports[1].On(p.on).Seconds
	}
	perProduct := func(p pair, i int) float64 {
		return 32 * p.reports[i].Total.Accesses / p.reports[i].Total.Done["fma"]
	}
	_, ratio := pairs("naive", "coalesced")
	require.InDelta(t, 5.7, ratio, 0.3)
	p, ratio := pairs("coalesced", "tiled")
	require.InDelta(t, 1.25, ratio, 0.1)
	require.InDelta(t, 8, p.reports[0].Total.Moved/p.reports[1].Total.Moved, 1)
	p, _ = pairs("tiled", "block")
	require.InDelta(t, 4, perProduct(p, 0)/perProduct(p, 1), 0.1)
	on = "gaming"
	p, ratio = pairs("block", "wide")
	require.Greater(t, ratio, 2.0)
	require.InDelta(t, 8, perProduct(p, 0)/perProduct(p, 1), 0.2)
	require.Equal(t, []int{5, 1}, []int{p.reports[0].Resident(p.on), p.reports[1].Resident(p.on)})
	require.Equal(t, []int{31, 116}, []int{p.reports[0].Total.Live, p.reports[1].Total.Live})
}

func TestCountNamesTheRungs(t *testing.T) {
	said := ""
	for _, v := range Count(t.Context(), cost.Usual, "tiled", "block") {
		said += v.Text() + "\n"
	}
	require.Contains(t, said, "tiled takes 2.7 times as long as block, at least.")
	require.Contains(t, said, "accesses for a multiply-add")
	require.Equal(t, "Nothing to show", Count(t.Context(), cost.Usual, "tiled", "flat")[0].(view.Note).Title)
}

// A failingContext panics when it is asked whether it has ended.
type failingContext struct{ context.Context }

func (failingContext) Err() error { panic("boom") }

// A comparison that panics is a note; a cell shows it where the comparison would be.
func TestACountThatFails(t *testing.T) {
	views := Count(failingContext{t.Context()}, cost.Usual, "tiled", "block")
	require.Len(t, views, 1)
	require.Contains(t, views[0].Text(), "can't be shown")
	require.Contains(t, views[0].Text(), "boom")
}
