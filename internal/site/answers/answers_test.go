package answers

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/shaders"
)

func reference(t *testing.T, id string) string {
	t.Helper()
	source, err := shaders.Source(id)
	require.NoError(t, err)
	return source
}

// desk is a desk in a folder of its own that works in the simulator.
func desk(t *testing.T) *Desk {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("WGSLAB_ENGINE", "simulator")
	return New()
}

func answer[T any](t *testing.T, d *Desk, r Request) T {
	t.Helper()
	got, err := d.Answer(t.Context(), r, func(map[string]string) {})
	require.NoError(t, err)
	encoded, err := json.Marshal(got)
	require.NoError(t, err)
	var told T
	require.NoError(t, json.Unmarshal(encoded, &told))
	return told
}

// A check says what `wgslab check` says, shows what its cell shows, and leaves in the
// folder what a cell leaves there.
func TestCheck(t *testing.T) {
	d, seed := desk(t), uint64(7)
	exercise, err := lesson.Find("vector-add")
	require.NoError(t, err)
	on, err := engine.Open(t.Context(), engine.Simulator)
	require.NoError(t, err)
	right := reference(t, exercise.ID)
	for source, passed := range map[string]bool{right: true, strings.Replace(right, "+ b[i]", "- b[i]", 1): false} {
		v, err := judge.Run(t.Context(), on.Engines, exercise, learner.ShaderPath(exercise.ID), source, seed)
		require.NoError(t, err)
		var came []map[string]string
		got, err := d.Answer(t.Context(), Request{Do: "check", Exercise: exercise.ID, Source: source, Seed: &seed},
			func(view map[string]string) { came = append(came, view) })
		require.NoError(t, err)
		checked := got.(*Checked)
		require.Equal(t, came, checked.Displays.Displays)
		require.Equal(t, passed, checked.Verdict.Passed())
		v.Milliseconds = checked.Verdict.Milliseconds
		require.Equal(t, v, checked.Verdict)
		require.Equal(t, v.Text(), checked.Text)
		require.Equal(t, string(v.HTML()), checked.HTML)
		require.Equal(t, checked.HTML, checked.Displays.Displays[0]["text/html"])
		require.Equal(t, passed, len(checked.Displays.Displays) > 1, "who has passed sees the reference")
		saved, err := os.ReadFile(learner.ShaderPath(exercise.ID))
		require.NoError(t, err)
		require.Equal(t, source, string(saved))
	}
	progress, err := learner.ReadProgress(learner.WorkDir)
	require.NoError(t, err)
	require.Contains(t, progress, exercise.ID)
	course := answer[Displays](t, d, Request{Do: "map", Lesson: 2})
	require.Contains(t, course.Displays[0]["text/plain"], "1 of ")
}

// To warm up leaves nothing behind, and is answered for every exercise with a shader.
func TestWarm(t *testing.T) {
	d := desk(t)
	for _, exercise := range []string{"hello", "softmax"} {
		require.Equal(t, struct{}{}, answer[struct{}](t, d, Request{Do: "warm", Exercise: exercise}))
	}
	require.NoDirExists(t, learner.WorkDir)
	_, err := d.Answer(t.Context(), Request{Do: "warm", Exercise: "forward"}, nil)
	require.Error(t, err)
}

func TestWhatCannotBeAnswered(t *testing.T) {
	d := desk(t)
	for want, r := range map[string]Request{
		"no exercise": {Do: "check", Exercise: "vector-ad"},
		"in Go":       {Do: "check", Exercise: "forward"},
		`"dance"`:     {Do: "dance"},
	} {
		_, err := d.Answer(t.Context(), r, nil)
		require.ErrorContains(t, err, want)
	}
	for _, raw := range []string{"", "{", "[]", "{}", `{"do": 1}`} {
		_, err := Read(raw)
		require.Error(t, err, raw)
	}
}

// A look says what the kernel says below a shader's cell, and saves nothing.
func TestLook(t *testing.T) {
	d := desk(t)
	source := reference(t, "vector-add")
	quiet := answer[Looked](t, d, Request{Do: "look", Name: "work/vector-add.wgsl", Source: source})
	require.Equal(t, "• vector-add: compiles", quiet.Text)
	past := strings.Replace(source, "if (i < arrayLength(&out))", "if (true)", 1)
	require.NotEqual(t, source, past)
	seen := answer[Looked](t, d, Request{Do: "look", Name: "work/vector-add.wgsl", Source: past})
	require.Contains(t, seen.Text, "goes wrong when it runs")
	require.Contains(t, seen.HTML, "goes wrong when it runs")
	other := answer[Looked](t, d, Request{Do: "look", Name: "work/example-mine.wgsl", Source: past})
	require.Contains(t, other.Text, "work/example-mine.wgsl: compiles")
	require.NoFileExists(t, "work/vector-add.wgsl")
}

// An editor counts UTF-16 code units: a character beyond the first 65,536 has two.
func TestOffsetsAreJavaScripts(t *testing.T) {
	d := desk(t)
	const before = "// 🙂 é\n"
	source := before + "fn f() -> f32 { return sq; }"
	offset := strings.Index(source, "sq") + len("sq") - 3 // 🙂 has 4 bytes and 2 units, é 2 and 1
	got := answer[Completion](t, d, Request{Do: "complete", Source: source, Offset: offset})
	require.Equal(t, offset, got.End)
	require.Equal(t, offset-2, got.Start)
	require.Equal(t, "sqrt", got.Items[0].Text)
	require.Equal(t, "builtin", got.Items[0].Kind)
	require.NotEmpty(t, got.Items[0].Doc)

	listed := answer[struct{ Problems []Problem }](t, d, Request{Do: "problems", Source: source})
	require.Len(t, listed.Problems, 1)
	p := listed.Problems[0]
	require.Equal(t, [2]int{offset - 2, offset}, [2]int{p.From, p.To})
	require.Equal(t, [2]int{2, 24}, [2]int{p.Line, p.Column})
	require.Equal(t, "error", p.Severity)
	require.Contains(t, p.Message, "sq")

	known := answer[Inspection](t, d, Request{Do: "inspect", Source: "fn f() -> f32 { return sqrt(2.0); }", Offset: 25})
	require.True(t, known.Found)
	require.Contains(t, known.Markdown, "sqrt")
	require.False(t, answer[Inspection](t, d, Request{Do: "inspect", Source: "  ", Offset: 99}).Found)
}

func TestExercisesAndTraces(t *testing.T) {
	d := desk(t)
	listed := answer[struct{ Exercises []Listed }](t, d, Request{Do: "exercises"})
	require.Len(t, listed.Exercises, len(lesson.All())+1, "forward is written in Go")
	require.Equal(t, "hello", listed.Exercises[0].ID)

	told := answer[Displays](t, d, Request{Do: "trace", Exercise: "vector-add"})
	require.Contains(t, told.Displays[0]["text/plain"], "no file work/vector-add.wgsl yet")
	require.NoError(t, save(learner.ShaderPath("vector-add"), reference(t, "vector-add")))
	told = answer[Displays](t, d, Request{Do: "trace", Exercise: "vector-add"})
	require.Greater(t, len(told.Displays), 1)

	e := answer[Engine](t, d, Request{Do: "engine"})
	require.Equal(t, "simulated: this browser has no WebGPU", e.Words)
	require.True(t, Request{Do: "complete"}.Quick())
	require.False(t, Request{Do: "check"}.Quick())
}
