package digits

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

func TestAttention(t *testing.T) {
	t.Chdir(t.TempDir()) // no shader of a learner
	seen := shown(t, func() { Attention(0) })
	require.Contains(t, seen, "Layer 2, heads 1 to 4")
	require.Contains(t, seen, "layer-norm")
	require.Contains(t, seen, "  7 ██████████████████████████████ 100.0 %")
	require.Contains(t, shown(t, func() { LooksFrom(0, 5) }), "Layer 1: where patch 5 looks, in heads 1 to 4")
}

func TestWithoutHeads(t *testing.T) {
	without := shown(t, func() { WithoutHeads(20) })
	require.Contains(t, without, "nothing")
	require.Contains(t, without, "layer 2, head 4")
}

// Another adapter rounds otherwise, so a digit between two answers may count elsewhere.
func TestContestCountsAsTheModelCardSays(t *testing.T) {
	device := show.Must(gpu.Default())
	if device.Adapter().Kind == gpu.Simulated {
		t.Skip("left out: the simulator takes minutes for 1,200 images. Run it with a driver.")
	}
	card, err := os.ReadFile("../../weights/MODEL_CARD_ATTENTION.md")
	require.NoError(t, err)
	for _, c := range contest(device, 300) {
		t.Logf("%+v", c)
		row := regexp.MustCompile(`\| ` + regexp.QuoteMeta(c.kind) + ` \| (\d+) \| (\d+) \| (\d+) \|`).FindStringSubmatch(string(card))
		require.Len(t, row, 4, c.kind)
		for i, count := range []int{c.plain, c.filters, c.attention} {
			said, err := strconv.Atoi(row[i+1])
			require.NoError(t, err)
			require.InDelta(t, said, count, 1, c.kind)
		}
	}
}
