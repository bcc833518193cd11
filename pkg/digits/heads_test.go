package digits

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/ground/view/viewtest"
	"github.com/wgslab/wgslab/internal/networks/vit"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

func TestAttention(t *testing.T) {
	t.Chdir(t.TempDir()) // no shader of a learner
	seen := viewtest.Printed(t, func() { Attention(0) })
	require.Contains(t, seen, "Layer 2, heads 1 to 4")
	require.Contains(t, seen, "layer-norm")
	require.Contains(t, seen, "  7 ██████████████████████████████ 100.0 %")
	from := viewtest.Printed(t, func() { LooksFrom(0, 5) })
	require.Contains(t, from, "patch 5 is lit")
	require.Contains(t, from, "Layer 1, heads 3 and 4: how much of its attention patch 5 gives to each patch, in %")
}

// The learner's attention-online reads the images if it is right, and the reference does if not.
func TestOneWalkRunsTheLearnersShader(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("work", 0o755))
	source, err := exercises.Reference(vit.OneWalk)
	require.NoError(t, err)
	for text, whose := range map[string]string{
		source: "yours",
		strings.Replace(source, "mixed[i] / total", "0.0", 1): "the reference: yours does not pass its check yet",
	} {
		require.NoError(t, os.WriteFile("work/attention-online.wgsl", []byte(text), 0o644))
		seen := viewtest.Printed(t, func() { OneWalk(2) })
		require.Regexp(t, `attention-online +`+whose, seen)
		require.Regexp(t, `passes for an image +35 +31`, seen)
		require.Regexp(t, `scores in memory +2,048 +0`, seen)
		require.Regexp(t, `read right +2 +2`, seen)
	}
}

func TestWithoutHeads(t *testing.T) {
	without := viewtest.Printed(t, func() { WithoutHeads(20) })
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
