package ladder_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/ladder"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/shaders"
)

// open opens a device of a kind, or the best available one. The zoo runs in the simulator: a CPU
// driver takes up to 16 seconds to compile one unrolled shader. TestDriver and TestTheZooOnADriver
// run it on a driver.
func open(t *testing.T, kind shader.AdapterKind) *gpu.Device {
	t.Helper()
	device, err := gpu.Open(gpu.WithDeadline(2*time.Minute), gpu.Require(kind))
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return device
}

func everyRung() []ladder.Rung {
	return append(append([]ladder.Rung{}, ladder.Rungs...), ladder.Variants...)
}

func source(t *testing.T, r ladder.Rung) string {
	t.Helper()
	s, err := r.Source()
	require.NoError(t, err)
	return s
}

// Every rung multiplies correctly, whatever the sizes, and writes nothing else.
func TestEveryRungIsRight(t *testing.T) { everyRungIsRight(t, open(t, shader.Simulated), everyRung()) }

func everyRungIsRight(t *testing.T, device *gpu.Device, rungs []ladder.Rung) {
	for _, r := range rungs {
		t.Run(r.Name, func(t *testing.T) {
			require.NoError(t, ladder.Check(device, ladder.Entry{Name: r.Name, Source: source(t, r)}))
		})
	}
}

// Other right ways to write them, which the check must not reject.
func TestRightOnesAreRight(t *testing.T) { rightOnesAreRight(t, open(t, shader.Simulated)) }

func rightOnesAreRight(t *testing.T, device *gpu.Device) {
	for name, change := range map[string]string{
		"coalesced": "@workgroup_size(COLUMNS, ROWS)|@workgroup_size(COLUMNS, ROWS, 1)",
		"registers": "const WIDTH = 32u;|const WIDTH : u32 = 32;",
		"tiled":     "var sum = 0.0;|var sum : f32;",
		"block":     "const DEPTH = 16u;|const DEPTH: u32 = 16;",
		"vec4":      "quad < dims.k / 4u|quad * 4u < dims.k",
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, ladder.Check(device, ladder.Entry{Name: name, Source: changed(t, name, change)}))
		})
	}
	own, err := exercises.Reference("matmul") // the shader from lesson 3: one element per invocation
	require.NoError(t, err)
	require.NoError(t, ladder.Check(device, ladder.Entry{Name: "matmul", Source: own}))
}

// changed returns a rung with one piece replaced: "before|after".
func changed(t *testing.T, name, change string) string {
	t.Helper()
	s, err := shaders.Source("fast/" + name)
	require.NoError(t, err)
	before, after, found := strings.Cut(change, "|")
	require.True(t, found)
	require.Contains(t, s, before, "of fast/%s", name)
	return strings.Replace(s, before, after, 1)
}

// The zoo: the possible mistakes on each rung, which the check must find.
var wrong = map[string][][2]string{
	"naive": {
		{"column >= dims.n", "column > dims.n"},
		{"i < dims.k", "i < dims.k - 1u"},
		{"out[row * dims.n + column]", "out[row * dims.m + column]"},
	},
	"coalesced": {
		{"row >= dims.m ||", "row > dims.m ||"},
		{"i * dims.n + column", "i * dims.k + column"},
		{"out[row * dims.n + column] = sum", "out[row * dims.n + column] += sum"},
	},
	"registers": {
		{"sum3 += a[row.w + i]", "sum3 += a[row.z + i]"},
		{"row < dims.m && columns[j]", "columns[j]"},
		{"ROWS * group.y", "2u * group.y"},
	},
	"tiled": {
		{"a_tile[local.y][i] * b_tile[i][local.x]", "a_tile[local.y][i] * b_tile[local.x][i]"},
		{"start += DEPTH", "start += DEPTH + 1u"},
		{"workgroupBarrier(); // the tiles are complete", ""},
		{"b[i * dims.n + column]", "b[i * dims.n + column + 1u]"},
	},
	"block": {
		{"vec4(b_tile[i][x], b_tile[i][x + SIDE]", "vec4(b_tile[i][x], b_tile[i][x]"},
		{"workgroupBarrier(); // all invocations are done with them", ""},
		{"column + SIDE * j < dims.n", "column < dims.n"},
	},
	"vec4": {
		{"a1.z * b2", "a1.z * b1"},
		{"start / 4u + id % 4u", "start + id % 4u"},
		{"if (row < dims.m && quad < dims.n / 4u) {\n        out", "if (row <= dims.m && quad < dims.n / 4u) {\n        out"},
	},
	"wide": {
		{"l4 += lower.x * left", "l4 += upper.x * left"},
		{"id / 8u % 4u", "id / 8u % 2u"},
		{"vec4(next0.y, next1.y, next2.y, next3.y)", "vec4(next0.y, next1.y, next3.y, next2.y)"},
	},
	"prefetched": {
		{"let next = start + DEPTH;", "let next = start;"},
		{"next + DEPTH <= dims.k", "next < dims.k"},
		{"4u * (SIDE + y) + 3u, first_quad + x", "4u * (SIDE + y) + 2u, first_quad + x"},
	},
	"unrolled": {
		{"    step(&sums, 7u, x, y);\n", ""},
		{"    step(&sums, 9u, x, y);\n", "    step(&sums, 8u, x, y);\n"},
		{"(*sums).l6 += lower.z", "(*sums).l6 = lower.z"},
	},
	"padded": {
		{"a_tile[a_slab].steps[1]", "a_tile[a_slab].steps[2]"},
		{"b_tile[4u * b_slab + 3u]", "b_tile[4u * b_slab + 2u]"},
		{"workgroupBarrier(); // the tiles are complete", ""},
	},
	"small": {
		{"let y = id / SIDE;", "let y = id % SIDE;"},
		{"min(first_row + 4u * a_quad + 2u, dims.m - 1u)", "min(first_row + 4u * a_quad + 1u, dims.m - 1u)"},
		{"next + DEPTH <= dims.k", "next < dims.k"},
	},
	"any": {
		{"min(4u * (first_quad + b_quad)", "min(2u * (first_quad + b_quad)"},
		{"4u * quad + j < dims.n", "4u * quad < dims.n"},
		{"b[at.x], b[at.y]", "b[at.y], b[at.x]"},
	},
}

func TestWrongOnesAreRejected(t *testing.T) { wrongOnesAreRejected(t, open(t, shader.Simulated)) }

func wrongOnesAreRejected(t *testing.T, device *gpu.Device) {
	for _, r := range everyRung() {
		require.GreaterOrEqual(t, len(wrong[r.Name]), 3, "wrong shaders of %s", r.Name)
		for i, change := range wrong[r.Name] {
			t.Run(fmt.Sprint(r.Name, "/", i), func(t *testing.T) {
				rejects(t, device, r, change)
			})
		}
	}
}

// rejects requires that the check finds the mistake in a rung with one piece replaced.
func rejects(t *testing.T, device *gpu.Device, r ladder.Rung, change [2]string) {
	t.Helper()
	right := source(t, r)
	require.Contains(t, right, change[0])
	err := ladder.Check(device, ladder.Entry{Name: r.Name, Source: strings.Replace(right, change[0], change[1], 1)})
	var where *ladder.WrongError
	require.ErrorAs(t, err, &where, "%q instead of %q", change[1], change[0])
	t.Log(err)
}

// TestDriver checks the rungs that every driver compiles quickly, right and wrong, on a driver.
func TestDriver(t *testing.T) {
	device := open(t, "")
	everyRungIsRight(t, device, ladder.Rungs[:2])
	for _, r := range ladder.Rungs[:2] {
		for _, change := range wrong[r.Name] {
			rejects(t, device, r, change)
		}
	}
}

// The shader and the table name each rung's one idea.
func TestRungsAreOneIdeaEach(t *testing.T) {
	ideas := map[string]bool{}
	for _, r := range everyRung() {
		require.False(t, ideas[r.Idea], "%s has no idea of its own", r.Name)
		ideas[r.Idea] = true
		require.True(t, strings.HasPrefix(source(t, r), "// fast/"+r.Name+": "))
	}
}

// Best always returns a shader that suits the shape.
func TestBestSuitsTheShape(t *testing.T) {
	for _, kind := range []shader.AdapterKind{shader.GPU, shader.CPU, "another"} {
		for _, shape := range [][3]int{{1, 1, 1}, {1024, 1024, 1024}, {4096, 4096, 4096}, {2048, 2048, 2044}, {4095, 4095, 4095}, {5000, 4, 8}, {4096, 4098, 4096}} {
			m, n, k := shape[0], shape[1], shape[2]
			r := ladder.Best(kind, m, n, k)
			require.Zero(t, n%r.Multiple, "%s for %v on a %s", r.Name, shape, kind)
			require.Zero(t, k%r.Multiple, "%s for %v on a %s", r.Name, shape, kind)
		}
	}
	require.Equal(t, "padded", ladder.Best(shader.GPU, 4096, 4096, 4096).Name)
	require.Equal(t, "small", ladder.Best(shader.GPU, 1024, 1024, 1024).Name)
	require.Equal(t, "any", ladder.Best(shader.GPU, 4095, 4095, 4095).Name)
}

func TestRace(t *testing.T) {
	device := open(t, "")
	right, err := exercises.Reference("matmul")
	require.NoError(t, err)
	table, err := ladder.Run(t.Context(), device, ladder.Options{
		N: 64, Without: true,
		Own: []ladder.Entry{{Name: "mine.wgsl", Source: right}, {Name: "off.wgsl", Source: strings.Replace(right, "+=", "=", 1)}, {Name: "no.wgsl", Source: "fn main() {"}, {Name: "new.wgsl", Source: "override unused = 1u;\n" + right}},
	})
	require.NoError(t, err)
	require.Len(t, table.Rungs, 4)
	require.Positive(t, table.Roof.CopyGBs)
	require.Positive(t, table.Roof.GFLOPS)
	mine := table.Rungs[0]
	require.Positive(t, mine.GFLOPS)
	require.InEpsilon(t, 2*64*64*64/mine.Seconds/1e9, mine.GFLOPS, 1e-9)
	require.Less(t, mine.Share, 1.0, "no shader is faster than the roof")
	require.Zero(t, table.Rungs[1].GFLOPS)
	require.Contains(t, table.Rungs[1].Problem, "should be")
	require.Contains(t, table.Rungs[2].Problem, "no.wgsl:1")
	require.Contains(t, table.Text(), "not right: ")
	require.True(t, table.Rungs[3].Refused)
	require.Contains(t, table.Text(), "cannot run here: new.wgsl:1:1: WGSL allows this, but this device's compiler refuses it: ")
	data, err := json.Marshal(table)
	require.NoError(t, err)
	require.Contains(t, string(data), `"roof":{"copy_gb_per_second":`)
	_, err = ladder.Run(t.Context(), device, ladder.Options{N: 102})
	require.ErrorContains(t, err, "a multiple of 4")
}

// The note lists the rungs faster than all before them as helpful, and no others.
func TestNote(t *testing.T) {
	table := ladder.Measured{Kind: shader.CPU, Rungs: []ladder.Timing{
		{Name: "mine", Own: true, GFLOPS: 99}, {Name: "naive", GFLOPS: 1}, {Name: "coalesced", GFLOPS: 1.01},
		{Name: "registers", GFLOPS: 5}, {Name: "tiled", GFLOPS: 0.5}, {Name: "block", Problem: "not right"}, {Name: "wide", GFLOPS: 6},
	}}
	require.True(t, strings.HasPrefix(table.Note(), "The fastest rung here is wide. Each of these beat all the rungs before it: registers, wide. These did not help here: coalesced, tiled. This adapter is a CPU."), table.Note())
	table.Kind = shader.GPU
	require.NotContains(t, table.Note(), "CPU")
	table.Kind = shader.Simulated
	require.Contains(t, table.Note(), "This is the simulator.")
	require.Empty(t, (&ladder.Measured{}).Note())
}

// The chart has the roof on top, and highlights the learner's shaders.
func TestBars(t *testing.T) {
	table := ladder.Measured{N: 1024, Roof: ladder.Roof{CopyGBs: 4000, GFLOPS: 61873.4}, Rungs: []ladder.Timing{{Name: "mine", Own: true, GFLOPS: 4776.46}, {Name: "naive", GFLOPS: 0.33184}, {Name: "no", Own: true, Problem: "not right"}}}
	bars := table.Bars()
	require.Equal(t, []string{"the roof", "mine", "naive", "no (not right)"}, bars.Labels)
	require.Equal(t, []float32{61900, 4780, 0.332, 0}, bars.Values)
	require.Equal(t, []int{1, 3}, bars.Highlight)
}
