package answers_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/worker/kept"
)

// specimens are an exercise's right or wrong shaders.
func specimens(t *testing.T, id, kind string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "lesson", "testdata", id, kind, "*.wgsl"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for i := range paths {
		paths[i], err = filepath.Abs(paths[i])
		require.NoError(t, err)
	}
	return paths
}

// requireSameOnBothRoads has a kept worker check a shader, and a program of its own as
// GoNB runs it, and compares what a learner sees, byte by byte.
func requireSameOnBothRoads(t *testing.T, w *kept.Workers, id, path string) {
	t.Helper()
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	dir := t.TempDir()
	shader := filepath.Join(dir, learner.ShaderPath(id))
	require.NoError(t, os.Mkdir(filepath.Dir(shader), 0o755))
	require.NoError(t, os.WriteFile(shader, source, 0o644))

	var views []map[string]string
	r := kept.Request{Kind: kept.Check, Arguments: []string{id}, Dir: dir, Seed: 7}
	_, err = w.Do(t.Context(), r, func(v kept.View) { views = append(views, masked(v)) })
	require.NoError(t, err, path)
	require.NotEmpty(t, views, path)
	require.Equal(t, cellsViews(t, dir, id, "7"), views, path)
}

// cellsViews is what a check cell shows that runs in a process of its own.
func cellsViews(t *testing.T, dir, id, seed string) (views []map[string]string) {
	t.Helper()
	cell := exec.CommandContext(t.Context(), os.Args[0], id, seed)
	cell.Dir, cell.Env = dir, append(os.Environ(), role+"=cell")
	said, err := cell.Output()
	require.NoError(t, err, "%s", said)
	for decoder := json.NewDecoder(bytes.NewReader(said)); decoder.More(); {
		var view map[string]string
		require.NoError(t, decoder.Decode(&view))
		views = append(views, masked(view))
	}
	return views
}

// Of each exercise one right shader and two wrong ones; the acceptance test takes all.
func TestBothRoadsSayTheSame(t *testing.T) {
	w := workers(usual)
	defer w.Close()
	for _, exercise := range lesson.All() {
		requireSameOnBothRoads(t, w, exercise.ID, specimens(t, exercise.ID, "right")[0])
		wrong := specimens(t, exercise.ID, "wrong")
		requireSameOnBothRoads(t, w, exercise.ID, wrong[0])
		requireSameOnBothRoads(t, w, exercise.ID, wrong[len(wrong)/2])
	}
}
