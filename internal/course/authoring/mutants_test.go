package authoring

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMutantsOfEachKind(t *testing.T) {
	const shader = `const SIZE = 4u;
var<workgroup> a: array<f32, SIZE>;
@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
  var sum = f32(id.z);
  if (id.x < SIZE && id.z == 0u) {
    sum += max(a[id.z], 0.5);
  }
  workgroupBarrier();
}`
	var changes []string
	mutants := mutantsOf(shader)
	for _, m := range mutants {
		changes = append(changes, changeOf(m))
		require.NotEqual(t, shader, m.Text)
	}
	require.Equal(t, []string{
		"(true) instead of (id.x < SIZE && id.z == 0u)", "y instead of x", "<= instead of <", "|| instead of &&", "!= instead of ==", "1u instead of 0u",
		"-= instead of +=", "min instead of max", "(0.5 + 1.0) instead of 0.5", "no workgroupBarrier();",
	}, changes)
	require.Equal(t, strings.Index(shader, "workgroupBarrier"), int(mutants[len(mutants)-1].Span.Start))
	require.Empty(t, mutantsOf("fn main( {"))
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
		File: "exercises/vector-add/reference.wgsl", Line: 13, Text: "passes every case with (true) instead of (i < arrayLength(&out))",
	})
}
