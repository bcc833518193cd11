package digits

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/view/viewtest"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

func TestEdges(t *testing.T) {
	t.Chdir(t.TempDir()) // no shader of a learner
	edges := viewtest.Printed(t, func() { Edges(0) })
	require.Contains(t, edges, "Upper, lower, left and right edges")
	require.Regexp(t, `upper .*lower .*left .*right`, edges)
	require.Contains(t, edges, "here the first filter gives its largest sum, 2.99")
	require.Contains(t, edges, "the reference: yours is not written yet")
}

func TestSideBySide(t *testing.T) {
	h := sideBySide("three", []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2, 2)
	require.Equal(t, 6, h.Rows)
	require.Equal(t, 6, h.Cols)
	values := slices.Clone(h.Values)
	for i, absent := range h.Absent {
		require.Equal(t, absent, values[i] != values[i], "element %d: the gaps have no value", i)
		if absent {
			values[i] = 0
		}
	}
	require.Equal(t, []float32{
		1, 2, 0, 0, 5, 6,
		3, 4, 0, 0, 7, 8,
		0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0,
		9, 10, 0, 0, 0, 0,
		11, 12, 0, 0, 0, 0,
	}, values)
}

func TestFilters(t *testing.T) {
	t.Chdir(t.TempDir()) // no shader of a learner
	seen := viewtest.Printed(t, func() { Filters(0) })
	require.Contains(t, seen, "What the first 16 filters see")
	require.Contains(t, seen, "What the next 32 filters see")
	require.Contains(t, seen, "conv-2d")
}

func TestDuels(t *testing.T) {
	for _, d := range duels(show.Must(gpu.Default()), 10) {
		require.Equal(t, 10, d.plain+d.onlyFilters+d.both, d.kind)
		require.Equal(t, 10, d.filters+d.onlyPlain+d.both, d.kind)
	}
	require.Contains(t, viewtest.Printed(t, func() { Duels(10) }), "off-centre")
}

// Another adapter rounds otherwise, so a digit between two answers may count elsewhere.
func TestDuelsCountAsTheModelCardSays(t *testing.T) {
	device := show.Must(gpu.Default())
	if device.Adapter().Kind == gpu.Simulated {
		t.Skip("left out: the simulator takes minutes for 1,200 images. Run it with a driver.")
	}
	card, err := os.ReadFile("../../weights/MODEL_CARD_CONV.md")
	require.NoError(t, err)
	for _, d := range duels(device, 300) {
		row := regexp.MustCompile(`\| ` + regexp.QuoteMeta(d.kind) + ` \| (\d+) \| (\d+) \|`).FindStringSubmatch(string(card))
		require.Len(t, row, 3, d.kind)
		for i, count := range []int{d.plain, d.filters} {
			said, err := strconv.Atoi(row[i+1])
			require.NoError(t, err)
			require.InDelta(t, said, count, 1, d.kind)
		}
	}
}
