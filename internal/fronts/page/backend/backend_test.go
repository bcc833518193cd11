package backend

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/format"
)

func reference(t *testing.T, id string) string {
	t.Helper()
	exercise, err := course.Find(id)
	require.NoError(t, err)
	source, err := exercise.Reference()
	require.NoError(t, err)
	return source.Text
}

// newBackend returns a backend in a folder of its own that works in the simulator.
func newBackend(t *testing.T) *Responder {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("WGSLAB_ENGINE", "simulator")
	return New()
}

// ask makes a page's request of a desk's, with the place of the cursor.
func ask(r protocol.Request, offset ...int) Request {
	asked := Request{Request: r}
	if len(offset) > 0 {
		asked.Offset = offset[0]
	}
	return asked
}

func answer[T any](t *testing.T, d *Responder, r Request) T {
	t.Helper()
	got, err := d.Answer(t.Context(), r, func(protocol.View) {})
	require.NoError(t, err)
	encoded, err := json.Marshal(got)
	require.NoError(t, err)
	var told T
	require.NoError(t, json.Unmarshal(encoded, &told))
	return told
}

// A check gives the same verdict as `wgslab check`, the same display as its cell, and the same
// files in the folder.
func TestCheck(t *testing.T) {
	d, seed := newBackend(t), uint64(7)
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	on, err := engine.Open(t.Context(), shader.Simulated)
	require.NoError(t, err)
	right := reference(t, exercise.ID)
	for source, passed := range map[string]bool{right: true, strings.Replace(right, "+ b[i]", "- b[i]", 1): false} {
		v, err := judge.Explain(t.Context(), on.Engines, exercise, shader.Read(learner.ShaderPath(exercise.ID), source), seed, nil)
		require.NoError(t, err)
		var came []protocol.View
		got, err := d.Answer(t.Context(), ask(protocol.Request{Do: "check", Exercise: exercise.ID, Source: source, Seed: &seed}),
			func(view protocol.View) { came = append(came, view) })
		require.NoError(t, err)
		checked := got.(*protocol.Response)
		require.Equal(t, came[len(came)-len(checked.Displays):], checked.Displays, "a verdict may come before its reasons")
		require.Equal(t, passed, checked.Verdict.Passed())
		v.Milliseconds = checked.Verdict.Milliseconds
		require.Equal(t, v, checked.Verdict)
		require.Equal(t, v.Text(), checked.Displays[0]["text/plain"])
		require.Equal(t, string(v.HTML()), checked.Displays[0]["text/html"])
		require.Equal(t, passed, len(checked.Displays) == 4, "a right shader is compared with the reference, has marks for what it costs, and other ways are shown")
		require.Equal(t, passed, len(v.Reasons) == 0)
		saved, err := os.ReadFile(learner.ShaderPath(exercise.ID))
		require.NoError(t, err)
		require.Equal(t, source, string(saved))
	}
	passed, err := learner.Read(learner.Dir)
	require.NoError(t, err)
	require.Contains(t, passed, exercise.ID)
	course := answer[protocol.Response](t, d, ask(protocol.Request{Do: "map", Lesson: 2}))
	require.Contains(t, course.Displays[0]["text/plain"], "1 of ")
}

// Warm leaves no files, and works for every exercise with a shader.
func TestWarm(t *testing.T) {
	d := newBackend(t)
	for _, exercise := range []string{"hello", "softmax"} {
		require.Equal(t, struct{}{}, answer[struct{}](t, d, ask(protocol.Request{Do: "warm", Exercise: exercise})))
	}
	require.NoDirExists(t, learner.Dir)
	_, err := d.Answer(t.Context(), ask(protocol.Request{Do: "warm", Exercise: "forward"}), nil)
	require.Error(t, err)
}

func TestWhatCannotBeAnswered(t *testing.T) {
	d := newBackend(t)
	for want, r := range map[string]protocol.Request{
		"no exercise": {Do: "check", Exercise: "vector-ad"},
		"JavaScript":  {Do: "check", Exercise: "forward"},
		`"dance"`:     {Do: "dance"},
	} {
		_, err := d.Answer(t.Context(), ask(r), nil)
		require.ErrorContains(t, err, want)
	}
	for _, raw := range []string{"", "{", "[]", "{}", `{"do": 1}`} {
		_, err := Read(raw)
		require.Error(t, err, raw)
	}
}

// An editor counts UTF-16 code units: a character beyond the first 65,536 has two.
func TestOffsetsAreJavaScripts(t *testing.T) {
	d := newBackend(t)
	const before = "// 🙂 é\n"
	source := before + "fn f() -> f32 { return sq; }"
	offset := strings.Index(source, "sq") + len("sq") - 3 // 🙂 has 4 bytes and 2 units, é 2 and 1
	got := answer[Completion](t, d, ask(protocol.Request{Do: "complete", Source: source}, offset))
	require.Equal(t, offset, got.End)
	require.Equal(t, offset-2, got.Start)
	require.Equal(t, "sqrt", got.Items[0].Text)
	require.Equal(t, "builtin", got.Items[0].Kind)
	require.NotEmpty(t, got.Items[0].Doc)

	listed := answer[struct{ Problems []Marker }](t, d, ask(protocol.Request{Do: "problems", Source: source}))
	require.Len(t, listed.Problems, 1)
	p := listed.Problems[0]
	require.Equal(t, [2]int{offset - 2, offset}, [2]int{p.From, p.To})
	require.Equal(t, [2]int{2, 24}, [2]int{p.Line, p.Column})
	require.Equal(t, "error", p.Severity)
	require.Contains(t, p.Message, "sq")

	known := answer[Inspection](t, d, ask(protocol.Request{Do: "inspect", Source: "fn f() -> f32 { return sqrt(2.0); }"}, 25))
	require.True(t, known.Found)
	require.Contains(t, known.Markdown, "sqrt")
	require.False(t, answer[Inspection](t, d, ask(protocol.Request{Do: "inspect", Source: "  "}, 99)).Found)
}

func TestFormat(t *testing.T) {
	d := newBackend(t)
	laid := answer[format.Reformatted](t, d, ask(protocol.Request{Do: "format", Source: "fn f( ){return;}"}))
	require.Equal(t, format.Reformatted{Text: "fn f() { return; }\n"}, laid)
	laid = answer[format.Reformatted](t, d, ask(protocol.Request{Do: "format", Source: "fn f( {"}))
	require.Empty(t, laid.Text)
	require.Contains(t, laid.Problem, "line 1")
	require.True(t, ask(protocol.Request{Do: "format"}).Quick())
}

// A check shows what the shader's print comments name, and a look at the shader does as well.
func TestPrintComments(t *testing.T) {
	d := newBackend(t)
	source := strings.Replace(reference(t, "vector-add"), "\n}", "\n    // print: id.x * 2u\n}", 1)
	require.Contains(t, source, "print:")
	told := answer[protocol.Response](t, d, ask(protocol.Request{Do: protocol.Check, Exercise: "vector-add", Source: source}))
	require.True(t, told.Verdict.Passed())
	require.True(t, slices.ContainsFunc(told.Displays, func(v protocol.View) bool {
		return strings.Contains(v["text/html"], "prints id.x * 2u")
	}))
	told = answer[protocol.Response](t, d, ask(protocol.Request{Do: protocol.Glance, File: "work/vector-add.wgsl", Source: source}))
	require.Contains(t, told.Displays[len(told.Displays)-1]["text/plain"], "prints id.x * 2u")
}

func TestTraces(t *testing.T) {
	d := newBackend(t)
	told := answer[protocol.Response](t, d, ask(protocol.Request{Do: "trace", Exercise: "vector-add"}))
	require.Contains(t, told.Displays[0]["text/plain"], "There is no shader of yours for vector-add yet")
	require.NoError(t, save(protocol.Request{Exercise: "vector-add", Source: reference(t, "vector-add")}))
	told = answer[protocol.Response](t, d, ask(protocol.Request{Do: "trace", Exercise: "vector-add"}))
	require.Greater(t, len(told.Displays), 1)

	e := answer[Engine](t, d, ask(protocol.Request{Do: "engine"}))
	require.Equal(t, "simulated: this browser has no WebGPU", e.Words)
	require.True(t, ask(protocol.Request{Do: "complete"}).Quick())
	require.False(t, ask(protocol.Request{Do: "check"}).Quick())
}

// A page gets the text of a question for its buttons, and its own journal decides which one.
func TestQuestions(t *testing.T) {
	d := newBackend(t)
	recall := ask(protocol.Request{Do: protocol.Recall, Lesson: 3})
	require.Contains(t, answer[protocol.Response](t, d, recall).Asked.Question, "`@workgroup_size(32)`", "the question about the surplus, in new words")
	told := answer[protocol.Response](t, d, ask(protocol.Request{Do: protocol.Predict, Exercise: "predict-workgroups", Answer: "c"}))
	require.Contains(t, told.Displays[0]["text/html"], "You say: 0 1 2 3, and the other twelve stay 0")
	require.Contains(t, answer[protocol.Response](t, d, recall).Asked.Question, "3 workgroups of 8 invocations", "it was answered wrong")
	for _, c := range []struct {
		written protocol.Request
		shows   string
	}{
		{protocol.Request{Do: protocol.Explain, Lesson: 2, Answer: "The dispatch is the loop."}, "Lesson 4 shows them again"},
		{protocol.Request{Do: protocol.Explain, Lesson: 4}, "The dispatch is the loop."},
		{protocol.Request{Do: protocol.Line, Exercise: "matmul", Answer: "total += a[row * dims.k + i] * b[i * dims.n + column];"}, "Right: "},
		{protocol.Request{Do: protocol.Line, Exercise: "matmul", Answer: "total += b[row * dims.k + i] * a[i * dims.n + column];"}, "Not yet. "},
	} {
		told = answer[protocol.Response](t, d, ask(c.written))
		require.Contains(t, told.Displays[0]["text/html"], c.shows)
	}
	journal, err := os.ReadFile("work/journal.jsonl")
	require.NoError(t, err)
	require.Equal(t, 4, strings.Count(string(journal), "\n"))
}

// The context for an AI tutor has the page's rules, the task, the learner's shader and the verdict.
func TestTutorPrompt(t *testing.T) {
	t.Chdir(t.TempDir())
	b := New()
	add, err := course.Find("add")
	require.NoError(t, err)
	right, err := add.Reference()
	require.NoError(t, err)
	wrong := strings.Replace(right.Text, "] +", "] -", 1)
	_, err = b.Answer(t.Context(), Request{Request: protocol.Request{Do: protocol.Check, Exercise: "add", Source: wrong}}, func(protocol.View) {})
	require.NoError(t, err)
	answer, err := b.Answer(t.Context(), Request{Request: protocol.Request{Do: tutorPrompt, Exercise: "add"}, Rules: "Never solve it.", Hints: []string{"Look at the sign."}}, nil)
	require.NoError(t, err)
	for _, part := range []string{"Never solve it.", "1. Look at the sign.\n", "] - ", "add: "} {
		require.Contains(t, answer.(map[string]string)["text"], part)
	}
	_, err = b.Answer(t.Context(), Request{Request: protocol.Request{Do: tutorPrompt, Exercise: "ad"}}, nil)
	require.ErrorContains(t, err, "add")

	require.NoError(t, os.WriteFile("work/host-add.js", []byte("function addVectors() {}\n"), 0o644))
	answer, err = b.Answer(t.Context(), Request{Request: protocol.Request{Do: tutorPrompt, Exercise: "host-add"}}, nil)
	require.NoError(t, err)
	require.Contains(t, answer.(map[string]string)["text"], "## The learner's current program\n\n```js\nfunction addVectors() {}\n```", "a program of the host")
}

// The journal's page has the check, a hint that was opened, and a conversation that was pasted.
// What can't be pasted changes nothing.
func TestJournal(t *testing.T) {
	t.Chdir(t.TempDir())
	b := New()
	ask := func(r Request) (any, error) { return b.Answer(t.Context(), r, func(protocol.View) {}) }
	_, err := ask(Request{Request: protocol.Request{Do: protocol.Check, Exercise: "add", Source: "fn main() {"}})
	require.NoError(t, err)
	require.NoError(t, learner.OpenHint(learner.Dir, "add", 2))
	_, err = ask(Request{Request: protocol.Request{Do: openJournal, Source: "You: Why?\nAI: Ask."}})
	require.ErrorIs(t, err, learner.ErrNoExercise)
	answer, err := ask(Request{Request: protocol.Request{Do: openJournal, Exercise: "add", Source: "You: Why?\nAI: Ask."}})
	require.NoError(t, err)
	opened := answer.(learner.JournalPage)
	require.Equal(t, "kept 2 turns about add", opened.Says)
	require.Contains(t, opened.Page, "You opened hint 2")
	require.Contains(t, opened.Page, "1 try, 2 turns with the tutor")

	answer, err = ask(Request{Request: protocol.Request{Do: tutorPrompt, Exercise: "add"}})
	require.NoError(t, err)
	require.Empty(t, answer.(map[string]string)["ask"], "what was pasted was said elsewhere")
	require.NoError(t, learner.Keep(learner.Dir, learner.Turn{Exercise: "add", Who: learner.Tutor, Text: "What?"}))
	answer, err = ask(Request{Request: protocol.Request{Do: tutorPrompt, Exercise: "relu"}})
	require.NoError(t, err)
	require.Equal(t, "Use wgslab, and help me with relu.", answer.(map[string]string)["ask"])
}
