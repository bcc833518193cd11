package goals_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

func device(t *testing.T, name string) cost.GPU {
	d, err := cost.FindDevice(name)
	require.NoError(t, err)
	return d
}

// compared compares a shader with the reference of its exercise, on an H100.
func compared(t *testing.T, id, source string) *cost.Comparison {
	t.Helper()
	e, err := course.Find(id)
	require.NoError(t, err)
	c, err := goals.Compare(t.Context(), e, shader.Read(id+".wgsl", source), device(t, "h100"))
	require.NoError(t, err)
	return c
}

// A product in which neighbours go down a column of a moves far more than one in which they go
// along a row of b, and a tiled one moves less.
func TestThreeProducts(t *testing.T) {
	coalesced, err := exercises.Reference("matmul")
	require.NoError(t, err)
	naive := compared(t, "matmul", strings.NewReplacer("let column = id.x", "let column = id.y", "let row = id.y", "let row = id.x").Replace(coalesced))
	require.Contains(t, naive.Summary[0], "Limited by requests: at least ")
	require.Contains(t, naive.Summary[1], "On line 27, 32 neighbours together move 512 B for `a[row * dims.k + i]`, but 64 B would do")
	require.Greater(t, naive.Bound.Seconds, 2*naive.ReferenceBound.Seconds)

	usual := compared(t, "matmul", coalesced)
	require.Equal(t, usual.Bound, usual.ReferenceBound)
	require.Equal(t, "Each element of `a` is read 192 times, and each read takes the unit that loads.", usual.Summary[1])
	require.InDelta(t, 192*192*192, usual.Yours.Total.Done["fma"], 0)

	source, err := exercises.Reference("matmul-tiled")
	require.NoError(t, err)
	tiled := compared(t, "matmul-tiled", source)
	require.Contains(t, tiled.Summary[0], "Limited by workgroup memory")
	// Each workgroup fetches 16 rows of a and 16 columns of b once, and so it does without tiles,
	// if a cache holds what it touches. But neighbours request far less.
	require.InDelta(t, usual.Yours.Total.Touched, tiled.Yours.Total.Touched, 0)
	require.InDelta(t, 144*(2*16*192*4+16*16*4), tiled.Yours.Total.Touched, 0)
	require.Less(t, 7*tiled.Yours.Total.Moved, usual.Yours.Total.Moved)
	require.Less(t, tiled.Bound.Seconds, usual.Bound.Seconds)
}

// Each limit has its reason.
func TestWhatAReportSays(t *testing.T) {
	for name, of := range map[string]struct{ id, source, says string }{
		"bank conflicts": {"row-max", `
struct Dims { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
var<workgroup> part: array<f32, 2048>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) i: u32) {
  for (var c = i; c < 64u * dims.cols; c += 64u) { part[32u * (c % 64u)] += 1.0; }
  out[group.x] = part[0] + x[group.x * dims.cols];
}`, "On line 9, 32 neighbours wait 32 turns for banks of workgroup memory at `part[32u * (c % 64u)]`, but 1 would do."},
		"atomics": {"histogram", `
struct Params { n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let word = bytes[id.x % params.n];
  for (var j = 0u; j < 4u; j++) { atomicAdd(&bins[word & 0u], 1u); }
}`, "atomics change the same 128 bytes of a buffer, one after the other.\nHow they queue isn't modelled"},
		"retries": {"count-up", mustRead(t, "count-up", "exchange"), "These retries aren't counted, and a GPU may take 20 times as long."},
		"a single invocation works": {"softmax", mustRead(t, "softmax", "serial"),
			"One operation waits for the one before"},
	} {
		t.Run(name, func(t *testing.T) {
			c := compared(t, of.id, of.source)
			require.Contains(t, strings.Join(c.Summary, "\n"), of.says)
			require.Contains(t, c.Text(), of.says)
			require.Contains(t, c.Text(), cost.Footnote)
		})
	}
}

func mustRead(t *testing.T, id, name string) string {
	e, err := course.Find(id)
	require.NoError(t, err)
	for _, source := range right(t, e) {
		if source.Name == name {
			return source.Text
		}
	}
	t.Fatalf("%s has no right shader %s", id, name)
	return ""
}

func TestDevices(t *testing.T) {
	for adapter, name := range map[string]string{
		"NVIDIA H100 80GB HBM3": "h100", "NVIDIA H200": "h200", "Apple M2 Pro": "macbook", "NVIDIA GeForce RTX 4070": "gaming", "AMD Radeon RX 7800 XT (RADV NAVI32)": "radeon", "Intel(R) Iris(R) Xe Graphics (TGL GT2)": "laptop",
	} {
		d, ok := cost.DeviceOf(adapter)
		require.True(t, ok, adapter)
		require.Equal(t, name, d.Name, adapter)
	}
	_, ok := cost.DeviceOf("llvmpipe (LLVM 19.1.7, 256 bits)")
	require.False(t, ok)
	for _, d := range cost.Devices {
		require.NotEmpty(t, d.Source, d.Name)
		// Each multiprocessor does 128 multiply-adds in a cycle; AMD's begins two at a time.
		lanes := map[string]float64{"radeon": 2 * 128}[d.Name]
		require.InDelta(t, cmp.Or(lanes, 128), d.FLOPS/2/float64(d.Cores)/d.Clock, 2, d.Name)
	}
	_, err := cost.FindDevice("no-such")
	require.ErrorContains(t, err, "use laptop, macbook")
}
