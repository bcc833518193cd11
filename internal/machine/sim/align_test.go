package sim_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
)

// suspects compares a body with a right one, from some elements of the output on; with none, it
// compares all invocations.
func suspects(t *testing.T, body, right string, elements ...int) []sim.Suspect {
	t.Helper()
	run, in := framed(t)
	var words []sim.Word
	for _, i := range elements {
		words = append(words, sim.Word{Binding: 1, Index: i})
	}
	found, err := run(body).Suspects(t.Context(), [3]uint32{1, 1, 1}, []sim.Dispatched{run(right)}, in, words)
	require.NoError(t, err)
	return found
}

// framed returns what compiles a body, and the buffers of its run.
func framed(t *testing.T) (run func(body string) sim.Dispatched, buffers []sim.BoundBuffer) {
	const frame = `struct Size { n: u32, width: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> size: Size;
var<workgroup> s: array<f32, 4>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) l: u32) {
`
	in, size := make([]byte, 24), make([]byte, 8)
	for i, x := range []float32{3, 5, 7, 11, 13, 17} {
		binary.LittleEndian.PutUint32(in[4*i:], math.Float32bits(x))
	}
	binary.LittleEndian.PutUint32(size, 3)
	binary.LittleEndian.PutUint32(size[4:], 2)
	run = func(body string) sim.Dispatched {
		return sim.Dispatched{Program: mustBuild(t, frame+body+"\n}"), Workgroups: [3]uint32{1, 1, 1}}
	}
	return run, []sim.BoundBuffer{{Binding: 0, Data: in}, {Binding: 1, Data: make([]byte, 12)}, {Binding: 2, Data: size}}
}

const rows = `if (id.x >= size.n) {
return;
}
var sum = 0.0;
for (var k = 0u; k < size.width; k++) {
sum += a[id.x * size.width + k];
}
out[id.x] = sum / 2.0;`

func TestSuspects(t *testing.T) {
	for _, c := range []struct {
		name, body string
		line       int
		text       string
		elements   []int
	}{
		{"a bound", "if (id.x >= size.n) {\nreturn;\n}\nvar sum = 0.0;\nfor (var k = 0u; k + 1u < size.width; k++) {\nsum += a[id.x * size.width + k];\n}\nout[id.x] = sum / 2.0;", 11, "k++", []int{0, 2}},
		{"a first index", "if (id.x >= size.n) {\nreturn;\n}\nvar sum = 0.0;\nfor (var k = 1u; k < size.width; k++) {\nsum += a[id.x * size.width + k];\n}\nout[id.x] = sum / 2.0;", 11, "1u", []int{0, 2}},
		{"a stride, before its use", "if (id.x >= size.n) {\nreturn;\n}\nvar sum = 0.0;\nlet start = id.x * size.n;\nfor (var k = 0u; k < size.width; k++) {\nsum += a[start + k];\n}\nout[id.x] = sum / 2.0;", 11, "size.n", []int{1}},
		{"a missing division", "if (id.x >= size.n) {\nreturn;\n}\nvar total = 0.0;\nfor (var k = 0u; k < size.width; k++) {\ntotal += a[k + size.width * id.x];\n}\nout[id.x] = total;", 14, "out[id.x]", []int{0}},
		{"an assignment without the sum", "if (id.x >= size.n) {\nreturn;\n}\nvar sum = 0.0;\nfor (var k = 0u; k < size.width; k++) {\nsum = a[id.x * size.width + k];\n}\nout[id.x] = sum / 2.0;", 12, "a[id.x * size.width + k]", []int{0}},
		{"a guard that is too strict", "if (id.x >= size.width) {\nreturn;\n}\nvar sum = 0.0;\nfor (var k = 0u; k < size.width; k++) {\nsum += a[id.x * size.width + k];\n}\nout[id.x] = sum / 2.0;", 7, "size.width", []int{2}},
		{"a guard that is too wide, with right values", "if (id.x > size.n) {\nreturn;\n}\nvar sum = 0.0;\nfor (var k = 0u; k < size.width; k++) {\nsum += a[id.x * size.width + k];\n}\nout[id.x] = sum / 2.0;", 7, "id.x > size.n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := suspects(t, c.body, rows, c.elements...)
			require.NotEmpty(t, found)
			require.Equal(t, c.line, found[0].Place.Line, "%v", found)
			require.Equal(t, c.text, found[0].Text)
		})
	}
}

// A learner's shader that makes a known mistake with other words is told where.
func TestRecognised(t *testing.T) {
	const before = "if (id.x >= size.n) {\nreturn;\n}\nvar sum = 0.0;\n"
	for _, c := range []struct {
		name, mistaken, body string
		line                 int
		text                 string
	}{
		{
			"a stride", before + "for (var k = 0u; k < size.width; k++) {\nsum += a[id.x * size.n + k];\n}\nout[id.x] = sum / 2.0;",
			before + "let start = size.n * id.x;\nvar k = 0u;\nwhile (k < size.width) {\nsum += a[start + k];\nk++;\n}\nout[id.x] = sum / 2.0;", 11, "size.n",
		},
		{
			"a divisor", before + "for (var k = 0u; k < size.width; k++) {\nsum += a[id.x * size.width + k];\n}\nout[id.x] = sum / f32(size.n);",
			before + "let by = f32(size.n);\nfor (var k = 0u; k < size.width; k++) {\nsum += a[id.x * size.width + k];\n}\nout[id.x] = sum / by;", 11, "size.n",
		},
		{
			"another way to the same result", before + "for (var k = 0u; k < size.width; k++) {\nsum += a[id.x * size.n + k];\n}\nout[id.x] = sum / 2.0;",
			before + "out[id.x] = 0.5 * (a[id.x + id.x + id.x + 1u] + a[id.x + id.x + id.x]);", 0, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			run, buffers := framed(t)
			found, _, err := run(c.body).Recognised(t.Context(), [3]uint32{1, 1, 1}, run(c.mistaken), nil, []sim.Dispatched{run(rows)}, buffers)
			require.NoError(t, err)
			if c.line == 0 {
				require.Empty(t, found)
				return
			}
			require.NotEmpty(t, found)
			require.Equal(t, c.line, found[0].Place.Line, "%v", found)
			require.Equal(t, c.text, found[0].Text)
		})
	}
}

// Any very low number begins a search for the largest as well as another: the place is the loop.
func TestRecognisedBelowAnotherLowest(t *testing.T) {
	const body = "if (id.x >= size.n) {\nreturn;\n}\nvar most = LOWEST;\nfor (var k = 0u; k < size.width; k++) {\nmost = max(most, a[id.x * size.width + k]);\n}\nout[id.x] = most;"
	run, buffers := framed(t)
	right := run(strings.Replace(body, "LOWEST", "-3.4028234e38", 1))
	for _, lowest := range []string{"-3.4e38", "-1e38", "-3.4028234e38"} {
		wrong := run(strings.Replace(strings.Replace(body, "LOWEST", lowest, 1), "k = 0u", "k = 1u", 1))
		found, _, err := wrong.Recognised(t.Context(), [3]uint32{1, 1, 1}, wrong, map[int]bool{10: true, 11: true}, []sim.Dispatched{right}, buffers)
		require.NoError(t, err)
		require.NotEmpty(t, found)
		require.Equal(t, 11, found[0].Place.Line, "%s: %v", lowest, found)
	}
}

func TestSuspectsOfARightShader(t *testing.T) {
	require.Empty(t, suspects(t, rows, rows, 0, 1, 2))
	require.Empty(t, suspects(t, rows, rows))
	require.Empty(t, suspects(t, "if (id.x < size.n) {\nvar total = 0.0;\nvar k = size.width * id.x;\nwhile (k < size.width * (id.x + 1u)) {\ntotal += a[k];\nk += 1u;\n}\nout[id.x] = 0.5 * total;\n}", rows, 0, 1, 2))
}

// TestSuspectsOfOtherIds finds where an id is taken, before its uses.
func TestSuspectsOfOtherIds(t *testing.T) {
	found := suspects(t, "let row = id.y;\nif (row >= size.n) {\nreturn;\n}\nout[row] = a[row];", "let row = id.x;\nif (row >= size.n) {\nreturn;\n}\nout[row] = a[row];", 1, 2)
	require.NotEmpty(t, found)
	require.Equal(t, 7, found[0].Place.Line, "%v", found)
}
