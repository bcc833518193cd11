package coursecells_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// specimens are an exercise's right or wrong shaders.
func specimens(t *testing.T, id, kind string) []string {
	t.Helper()
	names, err := exercises.Files.Glob(id + "/" + kind + "/*.wgsl")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	return names
}

// requireSameOnBothRoads has a kept worker check a shader, and a program of its own as
// GoNB runs it, and compares what a learner sees, byte by byte.
func requireSameOnBothRoads(t *testing.T, w *workerpool.Workers, id, path string) {
	t.Helper()
	source, err := exercises.Files.ReadFile(path)
	require.NoError(t, err)
	dir := t.TempDir()
	file := filepath.Join(dir, learner.ShaderPath(id))
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, source, 0o644))

	var shown protocol.Shown
	seed := uint64(7)
	r := protocol.Request{Do: protocol.Check, Exercise: id, Seed: &seed}
	err = w.Do(t.Context(), dir, r, func(v protocol.View) { shown.Add(masked(v)) })
	if err != nil {
		require.ErrorAs(t, err, new(*protocol.Failure), path) // not right
	}
	views := shown.Views
	require.NotEmpty(t, views, path)
	cell := cellsViews(t, dir, id, "7")
	// The order of atomics is open, as that of a race is.
	if wrong := filepath.Base(filepath.Dir(path)) == "wrong"; wrong && strings.Contains(string(source), "atomic") || races(t, id, source, seed) {
		cell, views = settled(cell), settled(views)
	}
	require.Equal(t, cell, views, path)
}

// cellsViews is what a check cell shows that runs in a process of its own.
func cellsViews(t *testing.T, dir, id, seed string) []protocol.View {
	t.Helper()
	cell := exec.CommandContext(t.Context(), os.Args[0], id, seed)
	cell.Dir, cell.Env = dir, append(os.Environ(), role+"=cell")
	said, err := cell.Output()
	require.NoError(t, err, "%s", said)
	var shown protocol.Shown
	for decoder := json.NewDecoder(bytes.NewReader(said)); decoder.More(); {
		var view protocol.View
		require.NoError(t, decoder.Decode(&view))
		shown.Add(masked(view))
	}
	return shown.Views
}

// Each exercise takes its turn with a right shader or one of two wrong ones.
func TestBothRoadsSayTheSame(t *testing.T) {
	w := workers(usual)
	defer w.Close()
	for i, exercise := range coursetest.Exercises(t, course.All()) {
		right, wrong := specimens(t, exercise.ID, "right"), specimens(t, exercise.ID, "wrong")
		turns := []string{right[0], wrong[0], wrong[len(wrong)/2]}
		requireSameOnBothRoads(t, w, exercise.ID, turns[i%len(turns)])
	}
}

// Two runs of a racing shader may differ in what undetermined values lead to: the table of wrong
// elements, which cases were lucky, and so which case a finding is taken from. One run may also
// have no wrong element at all. The headline and the question stay.
var settles = regexp.MustCompile(`aria-label="[^"]*"|→ [^<]*`)

// settled reduces the views of a racing shader to what its race does not change. Its text repeats
// the HTML, in another layout.
func settled(views []protocol.View) []protocol.View {
	for _, view := range views {
		delete(view, "text/plain")
		for format, content := range view {
			lines := slices.DeleteFunc(settles.FindAllString(content, -1), lucky.MatchString)
			view[format] = number.ReplaceAllString(strings.Join(lines, "\n"), "…")
		}
	}
	return views
}

// lucky matches what says whether a case came out right.
var lucky = regexp.MustCompile(`^aria-label="[^"]*: (right|wrong)"$`)

// number matches what names an element or an invocation in a question.
var number = regexp.MustCompile(`\d+`)

// races reports whether two invocations of a shader race in a check, as the simulator sees it.
func races(t *testing.T, id string, source []byte, seed uint64) bool {
	t.Helper()
	simulator, err := engine.Open(t.Context(), shader.Simulated)
	require.NoError(t, err)
	defer simulator.Close()
	exercise, err := course.Find(id)
	require.NoError(t, err)
	v, err := judge.Run(t.Context(), simulator.Engines, exercise, shader.Read("try.wgsl", string(source)), seed)
	require.NoError(t, err)
	return slices.ContainsFunc(v.Findings, func(f findings.Finding) bool {
		return f.Kind == findings.RaceWorkgroup || f.Kind == findings.RaceStorage
	})
}
