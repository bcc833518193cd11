package glance_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/engine/sim"
	"github.com/wgslab/wgslab/internal/glance"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/shaders"
)

func of(t *testing.T, id, source string) *glance.Glance {
	t.Helper()
	exercise, err := lesson.Find(id)
	require.NoError(t, err)
	g, err := glance.Of(t.Context(), sim.New(sim.Options{Steps: 50_000_000}), exercise, "work/"+id+".wgsl", source, 1)
	require.NoError(t, err)
	return g
}

// Right shaders and those that nobody has begun get one quiet line.
func TestNothingToSay(t *testing.T) {
	for _, exercise := range lesson.All() {
		source, err := shaders.Source(exercise.ID)
		require.NoError(t, err)
		require.Equal(t, "• "+exercise.ID+": compiles", of(t, exercise.ID, source).Text())
	}
	for id, stub := range stubs(t) {
		require.Equal(t, "• "+id+": compiles", of(t, id, stub).Text())
	}
}

func TestMistakesAreShownWithLineAndCarets(t *testing.T) {
	source, err := shaders.Source("vector-add")
	require.NoError(t, err)
	g := of(t, "vector-add", source+"\nfn more() { let x: u32 = 1.5; y = 2; }\n")
	require.Equal(t, "vector-add: does not compile", g.Headline)
	require.Len(t, g.Remarks, 2)
	require.Contains(t, g.Text(), "fn more() { let x: u32 = 1.5; y = 2; }")
	require.Contains(t, g.Text(), "^")
	require.Contains(t, string(g.HTML()), "let x: u32 = 1.5")
}

// Every shader of the zoo that a check refuses by what was seen, or for its text, is
// refused at once; a right one never is.
func TestTheZoo(t *testing.T) {
	told := 0
	for _, exercise := range lesson.All() {
		for _, path := range specimens(t, exercise.ID, "right") {
			g := of(t, exercise.ID, read(t, path))
			require.NotContains(t, g.Text(), "error:", path)
		}
		for _, path := range specimens(t, exercise.ID, "wrong") {
			if g := of(t, exercise.ID, read(t, path)); len(g.Remarks) > 0 {
				told++
				require.NotContains(t, g.Headline, "right", path)
			}
		}
	}
	t.Logf("%d wrong shaders are told apart at a glance", told)
	require.Positive(t, told)
}

func specimens(t *testing.T, id, kind string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "lesson", "testdata", id, kind, "*.wgsl"))
	require.NoError(t, err)
	return paths
}

func read(t *testing.T, path string) string {
	t.Helper()
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(source)
}
