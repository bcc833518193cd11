package wgsl

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/mutant"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// tintLimits matches what Tint says about limits of its own. WGSL's (§ 2.4) are those up to which
// every compiler must accept a shader.
var tintLimits = regexp.MustCompile(`maximum parser recursive depth|array count .* must be less|total workgroup grid size|array byte size`)

// tint reports whether Tint, an independent WGSL compiler, accepts the shader.
func tint(t *testing.T, program, text string) (bool, string) {
	name := filepath.Join(t.TempDir(), "mutant.wgsl")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	out, err := exec.Command(program, "--format", "wgsl", "--output-name", os.DevNull, name).CombinedOutput()
	return err == nil, string(out)
}

// naga reports whether naga accepts the shader.
func naga(t *testing.T, program, text string) bool {
	name := filepath.Join(t.TempDir(), "mutant.wgsl")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return exec.Command(program, name).Run() == nil
}

// nagas counts naga's verdicts as a third opinion. The specification's own suite contradicts naga
// in 13 % of its cases. So a person judges these counts, and they fail no test.
type nagas struct {
	program          string
	accepts, refuses int
}

// add counts a shader on which naga disagrees with the front end and Tint, which agree.
func (n *nagas) add(t *testing.T, broken string, accepted bool) {
	if n.program == "" {
		return
	}
	switch theirs := naga(t, n.program, broken); {
	case theirs && !accepted:
		n.accepts++
	case !theirs && accepted:
		n.refuses++
		t.Logf("naga alone refuses\n%s", broken)
	}
}

// TestMutants breaks the course's shaders and checks that Tint rejects the same ones.
// WGSLAB_MUTANTS is the number of shaders to break.
func TestMutants(t *testing.T) {
	program, err := exec.LookPath("tint")
	if err != nil {
		t.Skip("left out: put tint on the PATH to compare broken shaders with a second compiler")
	}
	count := 300
	if n, err := strconv.Atoi(os.Getenv("WGSLAB_MUTANTS")); err == nil {
		count = n
	}
	files, err := filepath.Glob("../../exercises/*/reference.wgsl")
	require.NoError(t, err)
	fast, err := filepath.Glob("../../shaders/*/*.wgsl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	files = append(files, fast...)
	rng := rand.New(rand.NewPCG(1, uint64(count)))
	// The features that current browsers have and that Tint assumes.
	options := types.Options{Features: types.AllFeatures}
	disagreements, refused := 0, 0
	third := nagas{}
	third.program, _ = exec.LookPath("naga")
	for range count {
		text, err := os.ReadFile(files[rng.IntN(len(files))])
		require.NoError(t, err)
		broken, _ := mutant.Of(rng, string(text))
		found := Read("", broken, options).Findings
		ours := !findings.HasErrors(found)
		theirs, said := tint(t, program, broken)
		if !ours {
			refused++
		}
		if ours != theirs && !tintLimits.MatchString(said) {
			disagreements++
			t.Logf("ours %v, tint %v\n%v\n%s\n%s", ours, theirs, found, said, broken)
			continue
		}
		third.add(t, broken, ours)
	}
	t.Logf("%d of %d judged differently; ours refused %d", disagreements, count, refused)
	t.Logf("naga alone accepts %d, and alone refuses %d", third.accepts, third.refuses)
	assert.Positive(t, refused)
	assert.Less(t, refused, count)
	assert.LessOrEqual(t, float64(disagreements), 0.002*float64(count))
}
