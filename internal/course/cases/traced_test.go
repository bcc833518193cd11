package cases_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/observe/memtrace"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

func exercise(t require.TestingT, id string) *course.Exercise {
	e, err := course.Find(id)
	require.NoError(t, err)
	return e
}

func of(t require.TestingT, id, source string) *memtrace.Trace {
	traced, err := cases.Trace(context.Background(), exercise(t, id), shader.Read(id+".wgsl", source))
	require.NoError(t, err)
	return traced
}

func reference(t require.TestingT, id string) *memtrace.Trace {
	source, err := exercises.Reference(id)
	require.NoError(t, err)
	return of(t, id, source)
}

// A whole row of out, 32 invocations, needs each element of a. With tiles of T × T, a workgroup
// fetches the element once, and 32 / T workgroups need it.
func TestTilesFetchEachElementOncePerWorkgroup(t *testing.T) {
	naive := reference(t, "matmul")
	require.Equal(t, 32, naive.Variable("a").Reads.Min)
	require.Equal(t, 32, naive.Variable("a").Reads.Max)
	require.Equal(t, 32*32*32, naive.Variable("b").Reads.Total)
	require.Equal(t, 4*32*32*32, naive.Variable("b").Reads.Bytes)

	source, err := exercises.Reference("matmul-tiled")
	require.NoError(t, err)
	for _, tile := range []int{2, 4, 8, 16, 32} {
		of := of(t, "matmul-tiled", strings.Replace(source, "const TILE = 16u;", fmt.Sprintf("const TILE = %du;", tile), 1))
		for _, name := range []string{"a", "b"} {
			reads := of.Variable(name).Reads
			require.Equal(t, []int{32 / tile, 32 / tile}, []int{reads.Min, reads.Max}, "%s, tiles of %d", name, tile)
			require.InDelta(t, 32/tile, reads.Mean, 0)
		}
		require.Equal(t, 1, of.Variable("out").Writes.Max)
		// Each step along k writes an element of a workgroup's tile once, and a row of the tile
		// reads it.
		own := of.Variable("a_tile")
		require.Len(t, own.Reads.Of, tile*tile*of.Groups())
		require.Equal(t, []int{32 / tile, 32}, []int{own.Writes.Max, own.Reads.Min})
		require.Empty(t, of.Errors)
	}
	require.Equal(t, []string{
		"matmul reads each element of a 32 times, matmul-tiled twice: 16 times fewer.",
		"matmul reads each element of b 32 times, matmul-tiled twice: 16 times fewer.",
		"In total: 65,536 reads against 4,096: 16 times fewer.",
	}, memtrace.Compare(naive, reference(t, "matmul-tiled")))
}

// strided returns a relu shader that reads its buffer with a stride and wraps at the end.
func strided(size, stride int) string {
	return fmt.Sprintf(`
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(%d)
fn main(@builtin(local_invocation_index) i: u32) {
  let x = data[i * %du];
  if (x > 1e30) { data[0] = x; }
}`, size, stride)
}

func TestFourInvocationsTwoApart(t *testing.T) {
	traced := of(t, "relu", strings.Replace(strided(4, 2), "(@builtin(local", "(@builtin(workgroup_id) g: vec3u, @builtin(local", 1))
	data := traced.Variable("data")
	require.Equal(t, 50, traced.Groups())
	require.Equal(t, []int{50, 0, 50, 0, 50, 0, 50, 0, 0}, data.Reads.Of[:9], "each of the 50 workgroups reads the same four")
	require.Equal(t, 200, data.Reads.Total)
	require.Equal(t, 800, data.Reads.Bytes)
	require.InDelta(t, 1, data.Reads.Mean, 0)
	require.Len(t, traced.Accesses, 1)
	a := traced.Accesses[0]
	require.Equal(t, "data[i * 2u]", a.Text)
	require.Equal(t, []int{5, 200, 50}, []int{a.Line, a.Times, a.Strips})
	require.Equal(t, []memtrace.Lane{{Invocation: 0, Offset: 0, Bytes: 4}, {Invocation: 1, Offset: 8, Bytes: 4}, {Invocation: 2, Offset: 16, Bytes: 4}, {Invocation: 3, Offset: 24, Bytes: 4}}, a.Worst.Lanes)
	require.Equal(t, 1, a.Worst.Cost)
}

// With a stride of s, 32 neighbours that read an f32 each span 31·s + 1 words. They touch s lines
// of 32 words for each s up to 6, the maximum for relu's 200 elements.
func TestLinesOfAStride(t *testing.T) {
	for stride := 1; stride <= 6; stride++ {
		worst := of(t, "relu", strided(32, stride)).WorstOf(memtrace.Storage)
		require.Equal(t, stride, worst.Worst.Cost, "stride %d", stride)
		require.Equal(t, 1, worst.Worst.Fewest, "32 words are a line")
		require.InDelta(t, stride, worst.Cost, 0)
	}
}

// Two words are in the same bank if their numbers differ by a multiple of 32. With a stride of s,
// gcd(s, 32) of 32 neighbours use each bank that is used at all.
func TestBanksOfAStride(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stride := rapid.IntRange(0, 33).Draw(t, "stride")
		worst := of(t, "relu", fmt.Sprintf(`
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
var<workgroup> s: array<f32, 1056>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) { data[i] = s[i * %du]; }`, stride)).WorstOf(memtrace.Workgroup)
		want := 1 // the same word for all
		if stride > 0 {
			want = gcd(stride, 32)
		}
		require.Equal(t, want, worst.Worst.Cost)
		require.Equal(t, 1, worst.Worst.Fewest)
	})
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// A vec4 has four words, so 32 of them need at least four lines or turns.
func TestVectorsNeedSeveralLines(t *testing.T) {
	traced := of(t, "relu", `
@group(0) @binding(0) var<storage, read_write> data: array<vec4f>;
var<workgroup> s: array<vec4f, 32>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) { s[i] = data[i]; data[i] = s[i]; }`)
	for _, space := range []memtrace.Space{memtrace.Storage, memtrace.Workgroup} {
		worst := traced.WorstOf(space).Worst
		require.Equal(t, []int{4, 4}, []int{worst.Cost, worst.Fewest}, space)
	}
	require.Equal(t, 50, traced.Variable("data").Elements, "of 200 floats")
}

func TestWhoWorksInATree(t *testing.T) {
	traced := reference(t, "row-max")
	var working, lines []int
	for _, p := range traced.Phases {
		working, lines = append(working, p.Working), append(lines, p.Line)
		require.Zero(t, p.Missed)
		for local, does := range p.Does {
			require.Equal(t, local < p.Working, does == memtrace.Works, "the lower half goes on")
		}
	}
	require.Equal(t, []int{64, 32, 16, 8, 4, 2, 1}, working)
	require.Equal(t, []int{36, 36, 36, 36, 36, 36, 0}, lines)
	require.True(t, traced.SomeWait())
	require.False(t, reference(t, "matmul-tiled").SomeWait(), "all of a tile fetch, and all use it")
	require.False(t, reference(t, "relu").SomeWait(), "there is nothing to wait for")
}

func TestWhoMissesABarrier(t *testing.T) {
	traced := of(t, "relu", `
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
  if (i >= 60u) { return; }
  workgroupBarrier();
  data[id.x] = 1.0;
}`)
	require.Equal(t, 4, traced.Phases[0].Missed)
	require.Equal(t, []int{60, 4}, []int{traced.Phases[1].Working, traced.Phases[1].Ended})
	require.EqualValues(t, "divergent-barrier", traced.Errors[0].Kind)
	require.Contains(t, traced.Caution(), "The simulator found 1 mistake in this shader, the first on line 6")
}

func TestWhoWroteWhat(t *testing.T) {
	traced := of(t, "relu", `
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < 100u) { data[id.x + 1u] = 1.0; }
  data[0] = 2.0;
}`)
	by := traced.Variable("data").WrittenBy
	require.Equal(t, memtrace.Several, by[0])
	require.Equal(t, []int{0, 63, 99, memtrace.Nobody}, []int{by[1], by[64], by[100], by[101]})
}

func TestOneInvocationIsSaidPlainly(t *testing.T) {
	for id, want := range map[string]string{
		"matmul":     "The invocation at id = (3, 2) reads row 2 of a and column 3 of b, and writes element (2, 3) of out.",
		"relu":       "Invocation 3 of workgroup 1 reads data[67], and writes data[67].",
		"row-max":    "Invocation 3 of workgroup 1 reads elements (1, 3), (1, 67) and (1, 131) of x and candidates[3, 7, 11, 19 and 35], and writes candidates[3].",
		"vector-add": "Invocation 3 of workgroup 1 reads a[67] and b[67], and writes out[67].",
		"add":        "Invocation 0 of workgroup 0 reads a[0] and b[0], and writes out[0].",
	} {
		traced := reference(t, id)
		require.Equal(t, want, traced.Pick().Sentence(traced))
	}
}

func TestWhoReadsAnElement(t *testing.T) {
	traced := reference(t, "matmul")
	a, b := traced.Variable("a"), traced.Variable("b")
	require.Equal(t, 2*32+3, traced.Sample(a))
	byA, byB := traced.Readers(a, 67), traced.Readers(b, 67)
	require.Len(t, byA, 32)
	require.Len(t, byB, 32)
	for who := range byA {
		_, y := traced.Place(who)
		require.Equal(t, 2, y, "row 2 of out needs row 2 of a")
	}
	for who := range byB {
		x, _ := traced.Place(who)
		require.Equal(t, 3, x, "column 3 of out needs column 3 of b")
	}
}

// doneTwice is the correct shader whose invocations do the same work twice, on the same elements.
// Formally that is a race, but the judge finds it harmless because it changes nothing
// (internal/course/judge, harmless).
const doneTwice = "relu/right/square-workgroup.wgsl"

// TestCountsAddUp checks every correct shader of the zoo and the first wrong one of each exercise;
// the acceptance tests check the whole zoo.
func TestCountsAddUp(t *testing.T) {
	for _, e := range course.All() {
		wrong := zoo(t, e, "wrong")
		requireAllAddUp(t, e, append(zoo(t, e, "right"), wrong[:min(1, len(wrong))]...))
	}
}

// zoo lists the shaders of an exercise that are right or wrong.
func zoo(t *testing.T, e *course.Exercise, which string) []string {
	t.Helper()
	files, err := exercises.Files.Glob(e.ID + "/" + which + "/*.wgsl")
	require.NoError(t, err)
	if which == "right" {
		require.NotEmpty(t, files, e.ID)
	}
	return files
}

// requireAllAddUp requires that the counts of elements, accesses and strips agree for any shader. A
// correct shader must also run to its end without an error. It returns the number of files that
// run.
func requireAllAddUp(t *testing.T, e *course.Exercise, files []string) (run int) {
	t.Helper()
	for _, file := range files {
		source, err := exercises.Files.ReadFile(file)
		require.NoError(t, err)
		of, err := cases.Trace(t.Context(), e, shader.Read(file, string(source)))
		if filepath.Base(filepath.Dir(file)) == "right" {
			require.NoError(t, err)
			for _, seen := range of.Errors {
				require.True(t, strings.HasSuffix(filepath.ToSlash(file), doneTwice) && seen.Kind == findings.RaceStorage, "%s: %s", file, seen.Message)
			}
			require.True(t, of.Finished && of.Touches(), file)
		}
		if err == nil {
			run++
			requireAddsUp(t, of, file)
		}
	}
	return run
}

func requireAddsUp(t *testing.T, of *memtrace.Trace, file string) {
	t.Helper()
	elements, accesses := 0, 0
	for _, v := range of.Variables {
		for _, c := range []memtrace.Count{v.Reads, v.Writes, v.Atomics} {
			sum := 0
			for _, n := range c.Of {
				sum += n
			}
			require.True(t, len(c.Of) == 0 || c.Min == slices.Min(c.Of) && c.Max == slices.Max(c.Of), file)
			require.Equal(t, c.Total, sum, file)
			elements += c.Total
		}
	}
	for _, a := range of.Accesses {
		accesses += a.Times
		require.GreaterOrEqual(t, a.Times, a.Strips, file)
		require.GreaterOrEqual(t, a.Cost, a.Fewest, "%s, line %d", file, a.Line)
		require.GreaterOrEqual(t, a.Fewest, 1.0, file)
		require.LessOrEqual(t, len(a.Worst.Lanes), ir.Neighbours, file)
	}
	require.Equal(t, elements, accesses, "%s: no exercise loads several elements at once", file)
	for _, p := range of.Phases {
		require.Len(t, p.Does, of.Invocations(), file)
	}
	require.Equal(t, of.Touches(), len(of.Summary()) > 0, file)
}

func TestWhatDoesNotRun(t *testing.T) {
	var mistake *shader.CompileError
	_, err := cases.Trace(t.Context(), exercise(t, "relu"), shader.Read("relu.wgsl", "fn main( {"))
	require.ErrorAs(t, err, &mistake)
	var misfit *shader.BindError
	matmul, err := exercises.Reference("matmul")
	require.NoError(t, err)
	_, err = cases.Trace(t.Context(), exercise(t, "relu"), shader.Read("relu.wgsl", matmul))
	require.ErrorAs(t, err, &misfit)
}

func TestASkeletonTouchesNothing(t *testing.T) {
	for _, e := range course.All() {
		if e.Kind == course.FindBug {
			continue // it is a shader with a bug
		}
		skeleton, err := e.Skeleton()
		require.NoError(t, err)
		traced, err := cases.Trace(t.Context(), e, shader.Read(e.ID+".wgsl", skeleton))
		if err != nil {
			continue // the learner writes the entry point, or a binding
		}
		require.False(t, traced.Touches(), e.ID)
	}
}

func TestAnEndlessShaderIsSaid(t *testing.T) {
	traced := of(t, "relu", `
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var i = 0u;
  while (i < 10u) {
    data[id.x] = 1.0;
    if (data[0] > 2.0) { i++; }
  }
}`)
	require.False(t, traced.Finished)
	require.NotEmpty(t, traced.Caution())
}

func TestTheFirstAccessesOfMany(t *testing.T) {
	traced := of(t, "relu", `
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var i = 0u; i < 20000u; i++) {
    data[id.x] += 1.0;
  }
}`)
	require.True(t, traced.Cut)
	require.Contains(t, traced.Caution(), "these are the first 400,000 accesses")
}
