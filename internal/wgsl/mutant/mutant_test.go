package mutant_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/mutant"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func of(seed uint64, text string) (string, []string) {
	return mutant.Of(rand.New(rand.NewPCG(seed, 1)), text)
}

// A failure names a seed: it has to give the same mutant again.
func TestASeedGivesOneMutant(t *testing.T) {
	e, err := course.Find("matmul-tiled")
	require.NoError(t, err)
	reference, err := e.Reference()
	require.NoError(t, err)
	text := reference.Text
	valid, changed, kinds := 0, 0, map[string]bool{}
	const most = 1000
	for seed := range uint64(most) {
		once, changes := of(seed, text)
		again, _ := of(seed, text)
		require.Equal(t, once, again)
		require.NotEmpty(t, changes)
		for _, c := range changes {
			kinds[c] = true
		}
		if once != text {
			changed++
			if wgsl.Read("", once, types.Options{}).Valid() {
				valid++
			}
		}
	}
	require.Len(t, kinds, 15, "each change occurs")
	require.Greater(t, changed, most*9/10)
	require.Greater(t, valid, most/5, "too few mutants get past the front end")
}

func TestAnyTextHasMutants(t *testing.T) {
	for _, text := range []string{"", "\n", "\xff", "a", "/*", "1", "fn", "<", "\uFEFF\r\n"} {
		for seed := range uint64(500) {
			_, changes := of(seed, text)
			require.NotEmpty(t, changes)
		}
	}
}
