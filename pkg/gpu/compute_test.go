package gpu_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/pkg/gpu"
	"pgregory.net/rapid"
)

const transpose = `
struct Dims { rows: u32, columns: u32 }
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(4, 3)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.y < dims.rows && id.x < dims.columns) {
    out[id.x * dims.rows + id.y] = x[id.y * dims.columns + id.x];
  }
}`

// The workgroups cover a matrix of any shape, and its rows are y.
func TestComputeCoversAGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 20).Draw(t, "rows"), rapid.IntRange(1, 20).Draw(t, "columns")
		x := gpu.Matrix(rows, cols, func(row, col int) float64 { return float64(100*row + col) })
		got, err := gpu.Compute[float32](transpose, gpu.Grid{rows, cols}, gpu.Members{rows, cols}, x, gpu.Out(rows*cols))
		require.NoError(t, err)
		require.Equal(t, gpu.Matrix(cols, rows, func(row, col int) float64 { return float64(100*col + row) }), got)
	})
}

// count counts the invocations that ran, in groups of three.
const count = `
@group(0) @binding(0) var<storage, read_write> ran: array<atomic<u32>>;

@compute @workgroup_size(3)
fn main(@builtin(workgroup_id) group: vec3<u32>) { atomicAdd(&ran[group.x], 1u); }`

func TestComputeDispatches(t *testing.T) {
	for _, c := range []struct {
		over gpu.Dispatch
		want []uint32
	}{
		{gpu.Elements(1), []uint32{3, 0, 0, 0}},
		{gpu.Elements(3), []uint32{3, 0, 0, 0}},
		{gpu.Elements(4), []uint32{3, 3, 0, 0}},
		{gpu.Workgroups(3), []uint32{3, 3, 3, 0}},
		{gpu.Grid{2, 4}, []uint32{6, 6, 0, 0}}, // two rows of workgroups, since workgroups are 1 high
	} {
		got, err := gpu.Compute[uint32](count, c.over, gpu.Out(4))
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%T %v", c.over, c.over)
	}
	_, err := gpu.Compute[uint32](count, gpu.Elements(0), gpu.Out(4))
	require.ErrorContains(t, err, "0 workgroups in x")
}

// Compute does not change the bound slices, and returns a new slice.
func TestComputeLeavesSlicesAlone(t *testing.T) {
	const negate = `
@group(0) @binding(0) var<storage, read_write> data: array<i32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&data)) { data[id.x] = -data[id.x]; }
}`
	data := []int32{1, -2, 3}
	got, err := gpu.Compute[int32](negate, gpu.Elements(3), data)
	require.NoError(t, err)
	require.Equal(t, []int32{-1, 2, -3}, got)
	require.Equal(t, []int32{1, -2, 3}, data)
}

const members = `
struct Params { n: u32, shift: i32, slope: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1)
fn main() {
  out[0] = f32(params.n);
  out[1] = f32(params.shift);
  out[2] = params.slope;
  out[3] = f32(words[0]);
  out[4] = f32(words[1]);
}`

// Compute converts a number to the type of its member, and packs four bytes into a word.
func TestComputeMembersAndBytes(t *testing.T) {
	bytes := []byte{1, 2, 0, 0, 7}
	for _, given := range []gpu.Members{
		{3, -2, 0.5}, {uint32(3), int32(-2), float32(0.5)}, {uint8(3), int64(-2), 0.5},
	} {
		got, err := gpu.Compute[float32](members, gpu.Workgroups(1), given, bytes, gpu.Out(5))
		require.NoError(t, err)
		require.Equal(t, []float32{3, -2, 0.5, 0x0201, 7}, got, "%#v", given)
	}
	got, err := gpu.Compute[float32](members, gpu.Workgroups(1), gpu.Members{uint(math.MaxUint32), -1, 2}, bytes, gpu.Out(5))
	require.NoError(t, err)
	require.Equal(t, []float32{math.MaxUint32, -1, 2}, got[:3])
}

const empty = "@compute @workgroup_size(1) fn main() {}"

func TestComputeSaysWhatIsWrong(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, c := range map[string]struct {
		source   string
		bindings []any
		want     string
	}{
		"no file":       {"work/relu.wgsl", []any{gpu.Out(1)}, "there is no file work/relu.wgsl yet: run the cell that starts with %%writefile work/relu.wgsl"},
		"no bindings":   {members, nil, "give it at least a gpu.Out"},
		"a whole":       {members, []any{gpu.Members{0.5, 0, 1}}, "your shader: the member `n` of `params` is of type u32, but the host gives 0.5 (a Go float64)"},
		"below zero":    {members, []any{gpu.Members{-1, 0, 1}}, "the member `n` of `params` is of type u32, but the host gives -1 (a Go int)"},
		"too large":     {members, []any{gpu.Members{1, 1 << 31, 1}}, "the member `shift` of `params` is of type i32, but the host gives 2147483648"},
		"no number":     {members, []any{gpu.Members{1, 1, "1"}}, "the member `slope` of `params` is of type f32, but the host gives 1 (a Go string)"},
		"a vector":      {"@group(0) @binding(0) var<uniform> at: vec2<f32>;" + empty, []any{gpu.Members{1}}, "the member `at` of `at` is of type vec2f, but the host gives 1 (a Go int)"},
		"too few":       {members, []any{gpu.Members{1, 1}}, "your shader declares `params` with 3 members, but the host gives 2"},
		"too many":      {members, []any{gpu.Members{1, 1, 1, 1}}, "your shader declares `params` with 3 members, but the host gives 4"},
		"no binding":    {members, []any{gpu.Members{1, 1, 1}, []byte{1}}, "your shader declares `out` at @binding(2), but the host gives only @binding(0) to @binding(1)"},
		"not a uniform": {count, []any{gpu.Members{1, 1}}, "@binding(0): your shader declares `ran` as var<storage, read_write>"},
		"float64":       {count, []any{[]float64{1}}, "your shader: @binding(0): a []float64 cannot be bound: give a slice of float32, uint32, int32 or byte, gpu.Members or gpu.Out"},
		"empty":         {count, []any{[]uint32{}}, "your shader: @binding(0): a buffer needs at least one element"},
	} {
		_, err := gpu.Compute[uint32](c.source, gpu.Workgroups(1), c.bindings...)
		require.ErrorContains(t, err, c.want, name)
	}
	var mistake *gpu.BindError
	_, err := gpu.Compute[uint32](members, gpu.Workgroups(1), gpu.Members{-1, 0, 1})
	require.ErrorAs(t, err, &mistake)
	require.Equal(t, 0, mistake.Binding)
	require.Equal(t, "params", mistake.Name)

	require.NoError(t, os.WriteFile("wrong.wgsl", []byte("fn main() {\n  let x = y;\n}"), 0o644))
	_, err = gpu.Compute[uint32]("wrong.wgsl", gpu.Workgroups(1), gpu.Out(1))
	var wrong *gpu.CompileError
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "wrong.wgsl", wrong.Shader)
	require.Equal(t, 3, wrong.Line, "as in the cell that wrote the file")

	_, err = gpu.Compute[float32](count, gpu.Workgroups(1), []uint32{1})
	require.ErrorContains(t, err, "reading a buffer of u32 as f32")
}

func TestEdited(t *testing.T) {
	file := filepath.Join(t.TempDir(), "count.wgsl")
	require.NoError(t, os.WriteFile(file, []byte(count), 0o644))
	twice, err := gpu.Edited(file, "1u", "2u")
	require.NoError(t, err)
	got, err := gpu.Compute[uint32](twice, gpu.Workgroups(1), gpu.Out(1))
	require.NoError(t, err)
	require.Equal(t, []uint32{6}, got)
	_, err = gpu.Edited(file, "3u", "2u")
	require.ErrorContains(t, err, `count.wgsl does not contain "3u", so gpu cannot replace it with "2u"`)

	size, err := gpu.WorkgroupSize(file)
	require.NoError(t, err)
	require.Equal(t, [2]int{3, 1}, size)
	_, err = gpu.WorkgroupSize("fn main() {}")
	require.ErrorContains(t, err, "no entry point")
}

func TestMatrix(t *testing.T) {
	got := gpu.Matrix(2, 3, func(row, col int) float64 { return float64(10*row + col) })
	require.Equal(t, []float32{0, 1, 2, 10, 11, 12}, got)
	require.Empty(t, gpu.Matrix(0, 3, nil))
}
