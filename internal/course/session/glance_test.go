package session_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view/mark"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// steps limits a run. Right shaders take far fewer in the small cases.
const steps = 5_000_000

func of(t *testing.T, id, source string) *session.Glance {
	t.Helper()
	exercise, err := course.Find(id)
	require.NoError(t, err)
	g, err := session.Of(t.Context(), simulator.New(simulator.Options{Steps: steps}), exercise, shader.Read("work/"+id+".wgsl", source), 1)
	require.NoError(t, err)
	return g
}

// Right shaders, and shaders that are not begun, get one quiet line.
func TestNothingToSay(t *testing.T) {
	for _, exercise := range course.All() {
		source, err := exercises.Reference(exercise.ID)
		require.NoError(t, err)
		require.Equal(t, "• "+exercise.ID+": compiles", of(t, exercise.ID, source).Text())
	}
	for id, stub := range stubs(t) {
		want := "• " + id + ": compiles"
		if !strings.Contains(stub, "@compute") && strings.Contains(stub, "Your lines go here") {
			want = "• " + id + ": nothing to run yet"
		}
		require.Equal(t, want, of(t, id, stub).Text())
	}
}

func TestMistakesAreShownWithLineAndCarets(t *testing.T) {
	source, err := exercises.Reference("vector-add")
	require.NoError(t, err)
	g := of(t, "vector-add", source+"\nfn more() { let x: u32 = 1.5; y = 2; }\n")
	require.Equal(t, "vector-add: does not compile", g.Headline)
	require.Len(t, g.Findings, 2)
	require.Contains(t, g.Text(), "fn more() { let x: u32 = 1.5; y = 2; }")
	require.Contains(t, g.Text(), "^")
	require.Contains(t, string(g.HTML()), "let x: u32 = 1.5")
}

// Calls alone can keep a shader running as long as a loop without an end.
func TestABombOfCalls(t *testing.T) {
	source := "@group(0) @binding(0) var<storage, read> a: array<f32>;\n@group(0) @binding(1) var<storage, read> b: array<f32>;\n" +
		"@group(0) @binding(2) var<storage, read_write> out: array<f32>;\nfn g0(x: f32) -> f32 { return x * 1.5 + 1.0; }\n"
	for i := 1; i <= 40; i++ {
		source += fmt.Sprintf("fn g%d(x: f32) -> f32 { return g%d(x) + g%d(x + 1.0); }\n", i, i-1, i-1)
	}
	g := of(t, "add", source+"@compute @workgroup_size(1) fn main() { out[0] = g40(out[0]); }")
	require.Equal(t, mark.Bad, g.Mark)
	require.Contains(t, g.Text(), "functions that call others twice double the work each time")
}

// seenWhileRunning lists the diagnoses that the simulator's findings alone lead to.
var seenWhileRunning = []string{
	"divergent-barrier", "missing-barrier", "race", "vector-in-parts", "workgroup-shape", "did-not-finish",
	"missing-guard", "guard-off-by-one", "missing-column-guard", "missing-row-guard", "binding",
}

// A glance rejects every shader of the zoo that does not compile or goes wrong visibly, and
// points at a line. It never rejects a right one. About values it says nothing, so a shader
// with wrong values alone gets no error.
func TestTheZoo(t *testing.T) {
	var compile, run, quiet int
	for _, exercise := range coursetest.Exercises(t, course.All()) {
		for _, path := range specimens(t, exercise.ID, "right") {
			requireQuiet(t, of(t, exercise.ID, read(t, path)), path)
		}
		for _, path := range specimens(t, exercise.ID, "wrong") {
			source := read(t, path)
			g := of(t, exercise.ID, source)
			switch {
			case shader.Read(path, source).Mistake() != nil:
				compile++
				require.Contains(t, g.Headline, "does not compile", path)
				requireError(t, g, path)
			case slices.Contains(seenWhileRunning, wanted(source)) && !slices.Contains(hidden, filepath.Base(path)):
				run++
				requireError(t, g, path)
			case g.Mark == mark.Bad:
				requireError(t, g, path) // such as a wrong stride that leaves the array
			default:
				quiet++
				requireQuiet(t, g, path)
			}
		}
	}
	t.Logf("%d do not compile, %d go wrong visibly, %d have wrong values alone", compile, run, quiet)
}

// hidden lists the shaders with these diagnoses in which the simulator sees nothing wrong.
var hidden = []string{"own-slot.wgsl"} // it has no barrier and needs none

// withoutLine lists the diagnoses about something missing.
var withoutLine = []string{"binding", "no-entry-point"}

// wanted returns the diagnosis in a shader's first line.
func wanted(source string) string {
	first, _, _ := strings.Cut(source, "\n")
	return strings.TrimPrefix(first, "// diagnosis: ")
}

func requireQuiet(t *testing.T, g *session.Glance, path string) {
	t.Helper()
	require.Equal(t, mark.Neutral, g.Mark, path)
	require.NotContains(t, g.Text(), "error:", path)
}

func requireError(t *testing.T, g *session.Glance, path string) {
	t.Helper()
	require.Equal(t, mark.Bad, g.Mark, path)
	pointless := slices.Contains(withoutLine, wanted(read(t, path)))
	require.True(t, slices.ContainsFunc(g.Findings, func(r findings.Finding) bool {
		return r.IsError() && r.Message != "" && (pointless || r.Line > 0)
	}), "%s: no error points at a line: %s", path, g.Text())
}

func specimens(t *testing.T, id, kind string) []string {
	t.Helper()
	paths, err := exercises.Files.Glob(id + "/" + kind + "/*.wgsl")
	require.NoError(t, err)
	return paths
}

func read(t *testing.T, path string) string {
	t.Helper()
	source, err := exercises.Files.ReadFile(path)
	require.NoError(t, err)
	return string(source)
}

// A look and a check use what the front end found in a source's text at first. A second reading
// would find another text.
func TestTheFrontEndRunsOnce(t *testing.T) {
	exercise, err := course.Find("vector-add")
	require.NoError(t, err)
	alone := simulator.New(simulator.Options{})
	for _, path := range slices.Concat(specimens(t, exercise.ID, "right"), specimens(t, exercise.ID, "wrong")) {
		var looks []string
		var checks []verdict.Diagnosis
		for _, changed := range []bool{false, true} {
			source := shader.Read(path, read(t, path))
			if source.Shader(); changed {
				source.Text = "this is not WGSL"
			}
			g, err := session.Of(t.Context(), alone, exercise, source, 1)
			require.NoError(t, err)
			v, err := judge.Run(t.Context(), shader.Engines{Values: alone, Watcher: alone}, exercise, source, 1)
			require.NoError(t, err)
			looks, checks = append(looks, g.Headline), append(checks, verdict.Diagnosis{Stage: v.Stage, Slug: v.Slug})
		}
		require.Equal(t, looks[0], looks[1], path)
		require.Equal(t, checks[0], checks[1], path)
	}
}

// The cell says where a shader goes wrong, and the check below it what happened and why: none
// repeats the other, and the cell, which compares no values, says nothing about them.
func TestTheCheckDoesNotRepeatTheCell(t *testing.T) {
	alone := simulator.New(simulator.Options{})
	for _, path := range []string{
		"vector-add/wrong/no-guard.wgsl", "vector-add/wrong/guard-lets-one-more-in.wgsl", "vector-add/wrong/neighbours.wgsl", "vector-add/wrong/local-place.wgsl",
		"matmul/wrong/guard-off-by-one.wgsl", "matmul/wrong/guard-only-m.wgsl", "transpose/wrong/no-column-guard.wgsl", "row-max/wrong/no-barriers.wgsl", "histogram/wrong/plain-workgroup.wgsl",
	} {
		id, _, _ := strings.Cut(path, "/")
		text := read(t, path)
		g := of(t, id, text)
		require.Contains(t, g.Headline, "goes wrong when it runs", path)
		exercise, err := course.Find(id)
		require.NoError(t, err)
		v, err := judge.Explain(t.Context(), shader.Engines{Values: alone, Watcher: alone}, exercise, shader.Read(path, text), 1, nil)
		require.NoError(t, err)
		told := strings.Join(strings.Fields(v.Text()), " ")
		for _, f := range g.Findings {
			require.NotContains(t, told, english.Sentence(f.Message), path)
			require.Less(t, len(f.Message), 130, path)
		}
		require.NotContains(t, g.Text(), "values", path)
		require.Contains(t, string(g.HTML()), g.Next, path)
		story := v.Story()
		for _, more := range v.More().Findings {
			require.NotContains(t, story.Says+" "+story.Because, more, path)
		}
	}
}
