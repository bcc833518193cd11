package authoring

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMutantsOfEachKind(t *testing.T) {
	const shader = `const SIZE = 4u;
fn main() {
  if (id.x < n && me == 0u) {
    sum += max(a[i], 0.5);
  }
  workgroupBarrier();
}`
	var changes []string
	for _, m := range mutantsOf(shader) {
		changes = append(changes, m.change)
		require.NotEqual(t, shader, m.text)
	}
	require.Equal(t, []string{
		"(true) instead of (id.x < n && me == 0u)", "|| instead of &&", "<= instead of <", "y instead of x", "!= instead of ==", "1u instead of 0u",
		"-= instead of +=", "min instead of max", "(0.5 + 1.0) instead of 0.5", "no workgroupBarrier();",
	}, changes)
	require.Equal(t, 6, mutantsOf(shader)[len(changes)-1].line)
}

// A change that passes shows that a case is missing: without cases beyond one workgroup, nobody
// needs the guard.
func TestAMissingCaseIsNamed(t *testing.T) {
	root := copied(t, "vector-add")
	passing := func() []Problem {
		ran := 0
		found, err := Clone(root).Mutants(t.Context(), simulator(t), "vector-add", func() { ran++ })
		require.NoError(t, err)
		require.Equal(t, Clone(root).CountMutants("vector-add"), ran)
		return found
	}
	require.Empty(t, passing())

	path := filepath.Join(root, "exercises", "vector-add", "exercise.toml")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	whole := regexp.MustCompile(`(?m)^sizes = .*$`).ReplaceAll(text, []byte("sizes = {n = 64}"))
	require.NotEqual(t, string(text), string(whole))
	require.NoError(t, os.WriteFile(path, whole, 0o644))
	require.Contains(t, passing(), Problem{
		File: "shaders/vector-add.wgsl", Line: 13, Text: "passes every case with (true) instead of (i < arrayLength(&out))",
	})
}
