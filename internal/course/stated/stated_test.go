package stated

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// said runs the only test in a shader's comments, and returns why it fails; "" if it passes. An
// error about the test begins with "error: ".
func said(t *testing.T, text, folder string, update bool) (string, *Ran) {
	t.Helper()
	comments := course.Comments(text)
	require.Len(t, comments, 1, text)
	source, err := comments[0].Overriding(shader.ReadWith("s.wgsl", text, types.AllFeatures))
	require.NoError(t, err)
	test, err := ReadComment(source, comments[0], folder)
	if err != nil {
		return "error: " + err.Error(), nil
	}
	return ran(t, test, update)
}

func ran(t *testing.T, test *Test, update bool) (string, *Ran) {
	t.Helper()
	out, err := test.Run(t.Context(), update)
	if err != nil {
		return "error: " + err.Error(), nil
	}
	if out.Failure == nil {
		return "", out
	}
	return strings.Join(append([]string{out.Failure.Message}, out.Failure.More...), " "), out
}

const (
	halved = `enable f16;
@group(0) @binding(0) var<storage, read> x: array<f16>;
@group(0) @binding(1) var<storage, read_write> out: array<f16>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { if (id.x < arrayLength(&out)) { out[id.x] = x[id.x] / 2h; } }
// test: `
	particles = `struct Particle { at: vec3f, mass: f32, kind: u32 }
struct Box { count: atomic<u32>, all: array<Particle> }
@group(1) @binding(3) var<storage, read_write> box: Box;
@group(2) @binding(0) var<uniform> turn: mat2x2f;
@compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&box.all)) { box.all[id.x].at.z += turn[1].y; box.all[id.x].kind = id.x; atomicAdd(&box.count, 1u); }
}
// test: `
	blur = `@group(0) @binding(2) var photo: texture_2d<f32>;
@group(0) @binding(5) var soft: sampler;
@group(0) @binding(7) var out: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(2, 2) fn main(@builtin(global_invocation_id) id: vec3u) {
  let at = (vec2f(id.xy) + 0.5) / vec2f(textureDimensions(out));
  textureStore(out, id.xy, vec4f(textureSampleLevel(photo, soft, at, 0.0).rgb, 1.0));
}
// test: `
	viewed = `var<immediate> p: vec2u;
@group(0) @binding(0) var<storage, read_write> b: buffer;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { *bufferView<u32>(&b, 4 * id.x) += p.x + p.y * id.x; }
// test: `
	padded = `struct P { at: vec3f, v: vec3f }
struct M { turn: mat2x3f, kind: u32 }
@group(0) @binding(0) var<storage, read_write> all: array<P>;
@group(0) @binding(1) var<storage, read_write> ms: array<M, 2>;
@compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&all)) { all[id.x] = P(vec3f(1), vec3f(2)); ms[id.x].kind += u32(ms[id.x].turn[1].z); }
}
// test: `
	planned = `@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read> plan: array<u32>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) { out[id.x] = plan[0] + id.x; }
// test: `
	called = `struct Light { color: vec3f, on: bool }
struct Ray { at: vec2f, steps: array<u32, 2> }
@group(0) @binding(0) var<storage, read> table: array<f32>;
@group(0) @binding(4) var<storage, read_write> log: array<u32>;
const scale = 2.0;
fn luma(c: vec3f) -> f32 { return dot(c, vec3f(0.25, 0.5, 0.25)); }
fn both(a: f32) -> vec2f { return vec2f(a, a * scale); }
fn over(a: vec2f) -> vec2<bool> { return a > vec2f(1.0); }
fn even(n: u32) -> bool { return n % 2u == 0u; }
fn ray(n: u32) -> Ray { return Ray(vec2f(0.5), array(n, n + 1u)); }
fn turn() -> mat2x3f { return mat2x3f(1.0, 2.0, 3.0, 4.0, 5.0, 6.0); }
fn light() -> Light { return Light(vec3f(1.0), true); }
fn at(i: u32) -> f32 { return table[i]; }
override step = 2u;
fn stepped(n: u32) -> u32 { return n * step; }
fn note(n: u32) { log[0] = n; log[1] = n; }
fn wild(i: u32) -> u32 { return log[i + 2u]; }
fn forever(n: u32) -> u32 { var i = n; while (i > 0u) { i |= 1u; } return i; }
// test: `
)

// Each kind of binding passes with the right values, and fails or is refused with a message that
// names the place.
func TestStated(t *testing.T) {
	for _, c := range []struct{ shader, test, want string }{
		{halved, "x = 1, 3, 0.1, -65504 → out = 0.5, 1.5, 0.05, -32752", ""},
		{halved, "x = 1, 3 → out = 0.5, 2", "`out[1]` is 1.5, and 2 is expected. 1 of 2 numbers are wrong."},
		{halved, "x = 1, 3, 5 → out = 1, 2, 3", "error: x takes 6 bytes, and a buffer's size is a multiple of 4: give an even number of f16"},
		{halved, "x = 1, 70000 → out = 1, 2", "error: x[1]: 70000 is no value of type f16"},
		{halved, "x = f16[4] → out = 0, 0.5, 1, 1.5", ""},
		{halved, "x = 2048, 2049 → out = 1024, 1024.5 within 0.6", ""},

		{particles, "turn = 1, 2, 3, 4; box = 0, 1, 2, 3, 9, 7, 4, 5, 6, 9, 7 → box = 2, 1, 2, 7, 9, 0, 4, 5, 10, 9, 1", ""},
		{particles, "turn = 1, 2, 3, 4; box = 0, 1, 2, 3, 9, 7 → box = 1, 1, 2, 3, 9, 0", "`box.all[0].at.z` is 7, and 3 is expected. 1 of 6 numbers are wrong."},
		{particles, "turn = 1, 2, 3, 4; box = 0, 1, 2, 3, 9 → box = 1, 1, 2, 3, 9", "error: box has type Box, and 5 numbers fill no whole number of its elements of 5"},
		{particles, "turn = 1, 2; box = 0, 1, 2, 3, 9, 7 → box = 1, 1, 2, 7, 9, 0", "error: turn has 4 numbers, as mat2x2f has, and 2 are given"},
		{particles, "box = 0, 1, 2, 3, 9, 7 → box = 1, 1, 2, 7, 9, 0", "error: turn has no values: write turn = … before the arrow"},
		{particles, "turn = 1, 2, 3, 4; box = 0, 1, 2, 3, 9, 0.5 → box = 1, 1, 2, 7, 9, 0", "error: box.all[0].kind: 0.5 is no value of type u32"},
		{particles, "turn = 1, 2, 3, 4; boxes = 0 → box = 1, 1, 2, 7, 9, 0", "error: the test uses no binding boxes: its bindings are box, turn"},
		{particles, "turn = 1, 2, 3, 4; box = 0, 1, 2, 3, 9, 7 → turn = 1, 2, 3, 4", "error: turn is read-only: it is no output"},

		{padded, "ms = 1 to 14 → all = 1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2; ms = 1 to 6, 13, 8 to 13, 27", ""},
		{padded, "ms = 1 to 14 → all = 1, 1, 1, 2, 2, 3; ms = 1 to 6, 13, 8 to 14", "`all[0].v.z` is 2, and 3 is expected. 1 of 6 numbers are wrong."},
		{padded, "ms = 1 to 14; all = P[1] → all = 1, 1, 1, 2, 2, 2", ""},
		{padded, "ms = 1 to 12 → all = 1, 1, 1, 2, 2, 2", "error: ms has 14 numbers, as array<M, 2> has, and 12 are given"},
		{viewed, "p = 3, 10; b = 1, 2, 3, 4 → b = 4, 15, 26, 37", ""},
		{viewed, "p = u32:3,10; b = u32[4] → b = 3, 14, 25, 35", "`b[3]` is 36, and 35 is expected. 1 of 4 numbers are wrong."},
		{viewed, "p = 3; b = 1, 2, 3, 4 → b = 4, 15, 26, 37", "error: p has 2 numbers, as vec2u has, and 1 is given"},
		{viewed, "immediate = 3, 10; b = 1, 2, 3, 4 → b = 4, 15, 26, 37", ""},
		{viewed, "b = 1, 2, 3, 4 → b = 4, 15, 26, 37", "error: p has no values: write p = … before the arrow"},

		{blur, "photo = rgba8unorm[1,1]:1,0.5,0,1; soft = sampler:linear; out = texture[2,1] → out = 1, 0.5, 0, 1, 1, 0.5, 0, 1", ""},
		{blur, "photo = rgba8unorm[1,1]:1,0.5,0,1; soft = sampler; out = texture[2,1] → out = 1, 0.5, 0, 1, 1, 0, 0, 1", "`out` at (1, 0), green, is 0.501"},
		{blur, "photo = texture[1,1]; out = texture[2,1] → out = 1", "error: soft is a sampler: write soft = sampler, or soft = sampler:linear,repeat"},
		{blur, "photo = texture[1,1]; soft = sampler → out = 1, 1, 1, 1", "error: out is a texture: write its size before the run, out = texture[WIDTH,HEIGHT]"},
		{blur, "photo = 1, 2; soft = sampler; out = texture[2,1] → out = 1", "error: photo is a texture: write its size"},
		{blur, "photo = texture[1,1]; soft = sampler; out = texture[2,1] → out = 1", "error: out has 2 texels of 4 channels, and 1 numbers are expected"},
		{blur, "photo = @none.png; soft = sampler; out = texture[2,1] → out = 1", "error: photo: "},
		{blur, "photo = texture[1,1]; soft = sampler; out = texture[2,1] → out = @none.png", "error: the expected picture: "},
		{blur, "photo = texture[1,1]; soft = sampler; out = texture[2,1] → soft = 1", "error: soft is a sampler: it is no output"},

		{planned, "plan = 3, 1, 1; workgroups = @plan → out = 3, 4, 5", ""},
		{planned, "plan = 7, 2, 1, 1; workgroups = @plan+4; out = 4 times 1 → out = 7, 8, 1, 1", ""},
		{planned, "plan = 2, 1; workgroups = @plan → out = 2, 3", "error: pass main: @0.1 has 8 bytes, and the three u32"},
		{planned, "plan = 2, 1, 1; workgroups = @plans → out = 2, 3", "error: the test uses no binding plans"},
		{planned, "plan = 2, 1, 1; workgroups = @out; out = 2, 1, 1 → out = 2, 3, 1", "error: pass main: its workgroups are in @0.0, which it may write"},
		{planned, "plan = 70000, 1, 1; workgroups = @plan → out = 2", "a device has at most 65535 in a dimension"},

		{called, "luma(vec3(1, 1, 1)) → 1", ""},
		{called, "luma(vec3(1, 0, 1)) -> 1", "`luma(vec3(1, 0, 1))` is 0.5, and 1 is expected."},
		{called, "both(1.5) → 1.5, 4", "`both(1.5).y` is 3, and 4 is expected. 1 of 2 numbers are wrong."},
		{called, "over(vec2(1, 2)) → false, true", ""},
		{called, "even(3) → true", "`even(3)` is 0, and 1 is expected."},
		{called, "ray(3) → 0.5, 0.5, 3, 4", ""},
		{called, "ray(3) → 0.5, 0.5, 3, 5", "`ray(3).steps[1]` is 4, and 5 is expected."},
		{called, "turn() → 1, 2, 3, 4, 5, 6", ""},
		{called, "turn() → 1, 2", "error: turn() has 6 numbers"},
		{called, "light() → 1, 1, 1, 1", "error: light returns Light, which no buffer can hold"},
		{called, "table = 5, 6, 7; at(1) → 6", ""},
		{called, "stepped(3) → 6", ""},
		{called, "step = 5; stepped(3) → 15", ""},
		{called, "at(1) → 6", "error: table has no values"},
		{called, "note(4) → log = 4, 4", ""},
		{called, "note(4) → 4", "error: note returns nothing: write what a binding holds afterwards"},
		{called, "log = 1, 2; wild(1) → 3", "reads log[3], but log has 2 elements"},
		{called, "forever(2) → 3", "end"},
		{called, "lumax(1) → 1", "error: the shader has no function lumax: did you mean luma?"},
		{called, "luma(vec3(1, 1, 1)) → 1, 2", "error: luma(vec3(1, 1, 1)) has 1 number, as f32 has, and 2 are given"},
		{called, "luma(vec3(1, 1, 1)) → out", "error: luma(vec3(1, 1, 1)): \"out\" is no number"},
		{called, "luma(1) → 1", "error: the call luma(1): "},
		{called, "luma(vec3(1, 1, 1)); workgroups = 2 → 1", "error: a call runs once"},
	} {
		got, _ := said(t, c.shader+c.test+"\n", t.TempDir(), false)
		got = strings.ReplaceAll(got, "`", "")
		want := strings.ReplaceAll(c.want, "`", "")
		if want == "" {
			assert.Empty(t, got, c.test)
		}
		assert.Contains(t, got, want, c.test)
	}
}

// A race fails a test even if all values are right, and so does an order that leaves other values,
// or a size of subgroups.
func TestHowItRuns(t *testing.T) {
	const head = "@group(1) @binding(0) var<storage, read_write> out: array<u32>;\n"
	for _, c := range []struct{ shader, want string }{
		{head + "@compute @workgroup_size(2) fn main() { out[0] = 1u; }\n// test: → out = 1", ""},
		{head + "@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) { out[0] = i; }\n// test: → out = 1", "write"},
		{"@group(1) @binding(0) var<storage, read_write> out: array<atomic<u32>>;\n@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) { atomicStore(&out[0], i); }\n// test: → out = 1", "usual order"},
		{"enable subgroups;\n" + head + "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32, @builtin(subgroup_size) n: u32) { if (i == 0) { out[0] = n; } }\n// test: → out = 32", "subgroup has 64"},
	} {
		got, _ := said(t, c.shader, "", false)
		if c.want == "" {
			require.Empty(t, got, c.shader)
		}
		require.Contains(t, got, c.want, c.shader)
	}
}

// A picture is written with update, compared without, and a wrong one is kept beside it.
func TestPictures(t *testing.T) {
	folder := t.TempDir()
	input := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	input.Set(0, 0, color.NRGBA{255, 128, 0, 255})
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, input))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "in.png"), file.Bytes(), 0o644))
	expected := filepath.Join(folder, "out.png")
	const test = "photo = @in.png; soft = sampler; out = texture[2,1] → out = out.png"
	got, out := said(t, blur+test, folder, true)
	require.Empty(t, got)
	require.Equal(t, []string{"wrote " + expected}, out.Notes)
	require.NoError(t, os.WriteFile(expected, out.Files[expected], 0o644))
	got, out = said(t, blur+test, folder, false)
	require.Empty(t, got)
	require.Empty(t, out.Files)
	darker := strings.Replace(blur, "vec4f(tex", "vec4f(0.5 * tex", 1)
	got, out = said(t, darker+test, folder, false)
	require.Contains(t, got, "is #804000ff, and #ff8000ff is expected")
	require.Contains(t, got, "2 of 2 texels are wrong")
	require.Contains(t, out.Files, filepath.Join(folder, "out.failed.png"))
	got, _ = said(t, darker+test+" within 0.6", folder, false)
	require.Empty(t, got)
	got, _ = said(t, strings.Replace(blur+test, "texture[2,1]", "texture[3,1]", 1), folder, false)
	require.Contains(t, got, "`out` has 3 × 1 texels, and the picture")
	got, _ = said(t, planned+"plan = 1, 1, 1 → out = @out.png", folder, false)
	require.Contains(t, got, "error: out")
}

// A case in a test file binds in the same way, runs several passes, and may compare with another
// shader.
func TestACase(t *testing.T) {
	const passes = `@group(0) @binding(3) var<storage, read_write> plan: array<u32>;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1) fn first() { plan[0] = 2u; plan[1] = 1u; plan[2] = 1u; }
@compute @workgroup_size(1) fn second(@builtin(global_invocation_id) id: vec3u) { out[id.x] = id.x + 1u; }
`
	source := shader.Read("s.wgsl", passes)
	c := Case{
		Name: "planned", Passes: []string{"first", "second=@plan"},
		Bind: map[string][]string{"out": {"3 times 0"}}, Expect: map[string][]string{"plan": {"2", "1", "1"}, "out": {"1", "2", "0"}},
	}
	test, err := ReadCase(source, c, "")
	require.NoError(t, err)
	got, _ := ran(t, test, false)
	require.Empty(t, got)
	c.Expect = nil
	c.Bind["plan"] = []string{"u32[3]"}
	_, err = ReadCase(source, c, "")
	require.ErrorContains(t, err, "it expects nothing")
	c.Reference = shader.Read("r.wgsl", strings.Replace(passes, "id.x + 1u", "max(id.x, 0u) + 1u", 1))
	test, err = ReadCase(source, c, "")
	require.NoError(t, err)
	got, _ = ran(t, test, false)
	require.Empty(t, got)
	c.Reference = shader.Read("r.wgsl", strings.Replace(passes, "id.x + 1u", "id.x + 2u", 1))
	test, err = ReadCase(source, c, "")
	require.NoError(t, err)
	got, _ = ran(t, test, false)
	require.Contains(t, got, "is 1, and 2 is expected")
}
