package prints_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/prints"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var enough = prints.Room{Bytes: 1 << 10, StorageBuffers: 8}

// rewrite rewrites a shader at its first entry point.
func rewrite(t *testing.T, text string, room prints.Room, constants map[string]float64) (*prints.Rewritten, error) {
	t.Helper()
	read := wgsl.Read("", text, types.Options{Features: types.AllFeatures})
	require.Empty(t, read.Unrunnable())
	pipeline, found := read.Info.Pipeline(read.Info.EntryPoints[0], constants)
	require.Empty(t, found)
	rewritten, err := prints.Rewrite(pipeline, room)
	if err == nil {
		again := wgsl.Read("", rewritten.Text, types.Options{Features: types.AllFeatures})
		require.Empty(t, again.Findings, rewritten.Text)
	}
	return rewritten, err
}

// The code that is added takes no line away from any other, and no name.
func TestText(t *testing.T) {
	rewritten, err := rewrite(t, `@id(7) override scale = 2.0;
override unused:
    bool;
@group(0) @binding(0) var<storage, read_write> print_out: array<f32>;
fn twice(x: f32) -> f32 {
    return scale * x; // print: x
}
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    // print if i < 2u: i < 3u, i > (1u), scale // both
    print_out[i] = twice(f32(i)); // print: i
}`, enough, map[string]float64{"7": 0.5})
	require.NoError(t, err)
	assert.Equal(t, `const scale: f32 = 0.5;
const unused: bool = bool(1);

@group(0) @binding(0) var<storage, read_write> print_out: array<f32>;
fn twice(x: f32) -> f32 {
    return scale * x; // print: x
}
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) print2_input: vec3<u32>, @builtin(local_invocation_index) i: u32) { print2_id = print2_input;
    if (i < 2u) { print2_0((i < 3u), (i > (1u)), (scale)); }
    print_out[i] = twice(f32(i)); print2_1((i));
}
struct print2_buffer { counts: array<atomic<u32>, 2>, words: array<u32> }
@group(0) @binding(1) var<storage, read_write> print2_out: print2_buffer;
var<private> print2_id: vec3<u32>;
fn print2_0(print2_v0: bool, print2_v1: bool, print2_v2: f32) {
    if (atomicLoad(&print2_out.counts[0]) >= 4026531840u) { return; }
    let print2_row = atomicAdd(&print2_out.counts[0], 1u);
    if (print2_row >= 21u) { return; }
    let print2_at = 0u + print2_row * 6u;
    print2_out.words[print2_at + 0u] = print2_id.x;
    print2_out.words[print2_at + 1u] = print2_id.y;
    print2_out.words[print2_at + 2u] = print2_id.z;
    print2_out.words[print2_at + 3u] = select(0u, 1u, print2_v0);
    print2_out.words[print2_at + 4u] = select(0u, 1u, print2_v1);
    print2_out.words[print2_at + 5u] = bitcast<u32>(print2_v2);
}
fn print2_1(print2_v0: u32) {
    if (atomicLoad(&print2_out.counts[1]) >= 4026531840u) { return; }
    let print2_row = atomicAdd(&print2_out.counts[1], 1u);
    if (print2_row >= 31u) { return; }
    let print2_at = 126u + print2_row * 4u;
    print2_out.words[print2_at + 0u] = print2_id.x;
    print2_out.words[print2_at + 1u] = print2_id.y;
    print2_out.words[print2_at + 2u] = print2_id.z;
    print2_out.words[print2_at + 3u] = print2_v0;
}
`, rewritten.Text)
	assert.EqualValues(t, 1, rewritten.Binding)
	assert.EqualValues(t, 4*(2+21*6+31*4), rewritten.Bytes)
}

// A shader without comments keeps its text.
func TestNothingToPrint(t *testing.T) {
	const text = "@compute @workgroup_size(1) fn main() { return; // print: 1\n}\n// print: 2\n"
	rewritten, err := rewrite(t, text, prints.Room{}, nil)
	require.NoError(t, err)
	assert.Equal(t, text, rewritten.Text)
	assert.Zero(t, rewritten.Bytes)
	assert.Empty(t, rewritten.Comments[0].Problem, "no invocation gets there")
	assert.Contains(t, rewritten.Comments[1].Problem, "No statement can be here")
}

// Records come back as values. Those without room are counted.
func TestRead(t *testing.T) {
	rewritten, err := rewrite(t, `struct Point { at: vec2<f32>, n: i32 }
@compute @workgroup_size(1) fn main() {
    let long = array<Point, 9>(); // print: true, long, long[1], frexp(1.0)
}
`, prints.Room{Bytes: 256, StorageBuffers: 1}, nil)
	require.NoError(t, err)
	content := make([]byte, rewritten.Bytes)
	words := []uint32{5, 1, 2, 3, 1}
	for i := range 16 {
		words = append(words, math.Float32bits(float32(i)))
	}
	words = append(words, math.Float32bits(0.5), math.Float32bits(-0.25), 0xffff_ffff, math.Float32bits(0.5), 1)
	for i, w := range words {
		binary.LittleEndian.PutUint32(content[4*i:], w)
	}
	written, total := rewritten.Comments[0].Read(content)
	assert.Equal(t, 5, total)
	require.Len(t, written, 2)
	assert.Equal(t, [3]uint32{1, 2, 3}, written[0].Invocation)
	var shown []string
	for _, v := range rewritten.Comments[0].ValuesOf(written[0]) {
		shown = append(shown, v.String())
	}
	assert.Equal(t, "true", shown[0])
	assert.True(t, strings.HasPrefix(shown[1], "array<Point, 9>(Point(vec2f(0.0, 1.0), 1073741824), Point(vec2f(3.0, "), shown[1])
	assert.True(t, strings.HasSuffix(shown[1], "Point(vec2f(15.0, …), …), …)"), shown[1])
	assert.Equal(t, []string{"Point(vec2f(0.5, -0.25), -1)", "__frexp_result_f32(0.5, 1)"}, shown[2:])
}

// A comment must not change what the shader does.
func TestWhatADeviceCannotPrint(t *testing.T) {
	const head = `var<workgroup> shared_: u32;
var<workgroup> count: atomic<u32>;
var<private> mine: u32;
fn pure(x: u32) -> u32 { var y = x; y += mine; return y; }
fn impure(x: u32) -> u32 { mine = x; return x; }
fn through(p: ptr<function, u32>) -> u32 { *p += 1u; return *p; }
fn deep(x: u32) -> u32 { return impure(x); }
fn waits() -> u32 { workgroupBarrier(); return shared_; }
fn prints(x: u32) -> u32 { return x; // print: x
}
fn unused(x: u32) -> u32 { return x; }
fn again(x: u32) -> u32 { // print: again(x)
    return x;
}
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var x = pure(1u) + impure(1u) + deep(1u) + waits() + prints(1u) + again(1u) + atomicLoad(&count);
    x = through(&x);
    let frexps = array(frexp(f32(x)), frexp(2f));
    `
	for expression, problem := range map[string]string{
		"pure(id.x)":                     "",
		"count":                          "",
		"count, atomicLoad(&count) + 1u": "",
		"impure(id.x)":                   "`impure` changes `mine`",
		"deep(id.x)":                     "`impure` changes `mine`",
		"through(&x)":                    "`through` changes `p`",
		"waits()":                        "`workgroupBarrier` waits for other invocations",
		"workgroupUniformLoad(&shared_)": "`workgroupUniformLoad` waits for other invocations",
		"atomicAdd(&count, 1u)":          "`atomicAdd` changes memory",
		"prints(id.x)":                   "`prints` has a print comment itself",
		"unused(id.x)":                   "The entry point does not call `unused`",
		"count + 1u":                     "atomicLoad",
		"frexps":                         "no shader can name its type",
		"frexps[1]":                      "",
		"nowhere":                        "`nowhere` is not declared",
	} {
		rewritten, err := rewrite(t, head+"// print: "+expression+"\n}\n", prints.Room{Bytes: 1 << 16, StorageBuffers: 1}, nil)
		require.NoError(t, err)
		last := rewritten.Comments[len(rewritten.Comments)-1]
		if problem == "" {
			assert.Empty(t, last.Problem, expression)
		} else {
			assert.Contains(t, last.Problem, problem, expression)
		}
		assert.Contains(t, rewritten.Comments[1].Problem, "`again` cannot be called while it runs")
	}
}

func TestNoRoom(t *testing.T) {
	const shader = `@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(1) fn main() {
    b[0] = a[0]; // print: a[0]
}
`
	for want, room := range map[string]prints.Room{
		"`main` uses 2 and the device allows 2": {Bytes: 1 << 10, StorageBuffers: 2},
		"line 4: there is no room":              {Bytes: 16, StorageBuffers: 3},
	} {
		_, err := rewrite(t, shader, room, nil)
		require.ErrorContains(t, err, want)
	}
	_, err := rewrite(t, shader+"fn select(x: u32) -> u32 { return x; }\n", enough, nil)
	require.ErrorContains(t, err, "line 6: the shader declares `select` itself")
}
