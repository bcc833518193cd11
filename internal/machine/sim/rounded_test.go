package sim_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

const roundedHead = `enable f16;
struct P { n: u32, large: u32, scale: f32, zero: u32 }
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> p: P;
@group(0) @binding(3) var<storage, read_write> count: array<u32, 4>;
@group(0) @binding(4) var t: texture_2d<f32>;
@group(0) @binding(5) var<storage, read_write> halves: array<f16>;
@group(0) @binding(6) var<storage, read_write> list: array<u32>;
var<private> kept: f16;
var<workgroup> part: array<f32, 64>;
var<workgroup> small: array<vec2h, 64>;
fn scaled(i: u32) -> u32 { let at = f16(i) / 0.5h; return u32(floor(at)); }
fn random(seed: u32) -> u32 { let s = seed * 747796405u + 2891336453u; return ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u; }
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) l: u32) {
  let i = id.x;
`

// A whole number that an f16 or an f32 rounds is told where it becomes an index, a bound or a
// result, with both numbers. What floats are for, such as coordinates and random numbers, is not.
func TestRounded(t *testing.T) {
	const f16, f32 = "an f16 holds all whole numbers only up to 2,048", "an f32 holds all whole numbers only up to 16,777,216"
	for name, c := range map[string]struct {
		body string
		want []string // of the first finding; none if the shader is right
	}{
		"an index":        {"out[i] = x[u32(f16(i))];", []string{"`u32(f16(i))` is 2048 and not 2049, because " + f16 + "; `x[u32(f16(i))]` uses it as an index (invocation 1 of workgroup 32)"}},
		"i32":             {"out[i] = x[i32(f16(i32(i) + 1))];", []string{"is 2048 and not 2049"}},
		"half the way":    {"let at = f16(i) * 0.5h;\n let s = u32(at); out[i] = x[s];", []string{"`u32(at)` is 1026 and not 1025, because an f16 holds all whole numbers only up to 2,048; `x[s]` uses it as an index (invocation 3 of workgroup 32)"}},
		"a function":      {"out[i] = x[scaled(i) % p.n];", []string{"`u32(floor(at))` is 4096 and not 4098", "`x[scaled(i) % p.n]` on line 17 uses it as an index"}},
		"rows":            {"let s = u32(f16(i)); out[i] = x[s / 64u * 64u + s % 64u];", []string{"is 2048 and not 2049"}},
		"a vector":        {"let s = vec2<u32>(vec2<f16>(vec2u(i, 0u)) * 1.0h); out[i] = x[s.x + s.y];", []string{"is 2048 and not 2049"}},
		"a counter":       {"if (i > 0u) { return; } var at = 2040.0h; for (var k = 0u; k < 20u; k++) { out[u32(at)] = f32(k); at += 1.0h; }", []string{"is 2048 and not 2049"}},
		"private":         {"kept = f16(i) + 1.0h; out[i] = x[u32(kept) - 1u];", []string{"`u32(kept)` is 2048 and not 2049"}},
		"a guard":         {"if (u32(f16(i)) >= 2049u) { return; } out[i] = 1.0;", []string{"is 2048 and not 2049", "`u32(f16(i)) >= 2049u` uses it as a bound"}},
		"compared floats": {"if (f16(i) >= f16(p.n)) { return; } out[i] = 1.0;", []string{"`f16(i) >= f16(p.n)` compares 2048 with 2048 and not 2048 with 2049"}},
		"a texel":         {"out[i] = textureLoad(t, vec2u(u32(f16(i)), 0u), 0).x;", []string{"is 2048 and not 2049"}},
		"a count":         {"if (i == 0u) { count[1] = u32(f32(p.large)); }", []string{"`u32(f32(p.large))` is 16777216 and not 16777217, because " + f32 + "; `count[1]` gets it"}},
		"an f32":          {"let end = u32(f32(p.large) * 2.0) - 33554432u; for (var k = 0u; k < end; k++) { out[k] = 1.0; } out[i] = x[end];", []string{"`u32(f32(p.large) * 2.0)` is 33554432 and not 33554434", "`k < end` uses it as a bound"}},
		"an f32's sum":    {"let at = f32(p.large) + f32(i); if (i < 3u) { out[i] = x[u32(at) - 16777216u]; }", []string{"`u32(at)` is 16777216 and not 16777217", f32}},
		"clamped":         {"out[i] = x[clamp(u32(f16(i)), 1u, p.n)];", []string{"is 2048 and not 2049"}},

		"more than":         {"if (f16(i) > f16(p.n) - 1.0h) { return; } out[i] = 1.0;", []string{"`f16(i) > f16(p.n) - 1.0h` compares 2048 with 2047 and not 2048 with 2048"}},
		"at least, in f32":  {"let at = i + 16777216u; if (f32(at) >= f32(p.large)) { out[i] = 1.0; }", []string{"compares 16777216 with 16777216 and not 16777216 with 16777217"}},
		"at most":           {"if (f16(p.n) <= f16(i)) { return; } out[i] = 1.0;", []string{"`f16(p.n) <= f16(i)` compares 2048 with 2048 and not 2049 with 2048"}},
		"workgroup memory":  {"part[l] = f32(p.large + l); workgroupBarrier(); list[i] = u32(part[63u - l]);", []string{"`u32(part[63u - l])` is", "because " + f32 + "; `list[i]` gets it"}},
		"a reduction":       {"part[l] = f32(p.large + l);\n workgroupBarrier();\n for (var s = 32u; s > 0u; s >>= 1u) { if (l < s) { part[l] += part[l + s]; } workgroupBarrier(); }\n if (l == 0u) { list[0] = u32(part[0]); }", []string{"`u32(part[0])` is 1073743872 and not 1073743904"}},
		"vectors of f16":    {"small[l] = vec2h(0.0h, f16(i)); workgroupBarrier(); out[i] = x[u32(small[l].y)];", []string{"`u32(small[l].y)` is 2048 and not 2049", "uses it as an index"}},
		"a buffer":          {"out[i] = f32(p.large + i); list[i] = u32(out[i]) - 16777216u;", []string{"`u32(out[i])` is 16777216 and not 16777217"}},
		"a buffer of f16":   {"halves[i] = f16(i); out[i] = x[u32(halves[i])];", []string{"`u32(halves[i])` is 2048 and not 2049", "uses it as an index"}},
		"a list of indexes": {"list[i] = u32(f16(i)); out[i] = x[list[i]];", []string{"`u32(f16(i))` is 2048 and not 2049", "`x[list[i]]` uses it as an index"}},
		"a quotient":        {"if (i == 0u) { count[0] = u32(ceil(f32(p.large + 64u) / 64.0)); }", []string{"`u32(ceil(f32(p.large + 64u) / 64.0))` is 262145 and not 262146, because " + f32}},
		"a third":           {"if (i == 0u) { count[0] = u32(floor(f32(p.large * 2u + 1u) / f32(p.zero + 3u))); }", []string{"is 11184812 and not 11184811"}},
		"a half":            {"if (i == 0u) { count[0] = u32(f32(p.large * 2u + 1u) * 0.5); }", []string{"is 16777218 and not 16777217"}},
		"rounded up":        {"if (i == 0u) { count[0] = u32((f32(p.large + 2u) + 44.0) / 16.0); }", []string{"is 1048579 and not 1048578"}},

		"its own memory":    {"part[l] = f32(i); workgroupBarrier(); out[i] = x[u32(part[63u - l])];", nil},
		"overwritten":       {"part[l] = f32(p.large); workgroupBarrier(); part[l] = 16777216.0; workgroupBarrier(); list[i] = u32(part[l]);", nil},
		"an average":        {"part[l] = f32(p.large + l); workgroupBarrier(); out[i] = (part[l] + part[63u - l]) / 64.0;", nil},
		"a random quotient": {"list[i] = u32(f32(random(i)) / 4294967296.0 * 100.0);", nil},
		"an exact quotient": {"list[i] = u32(ceil(f32(i * 64u) / 64.0)) + u32(f32(p.large - 1u) / 3.0);", nil},
		"small numbers":     {"if (i < 2000u) { out[i] = x[u32(f16(i) + 1.0h)]; }", nil},
		"a power of two":    {"out[i] = x[u32(f32(i) * 0.5)] + x[u32(f16(i / 8u) * 8.0h) / 8u];", nil},
		"normalized":        {"let u = (f32(i) + 0.5) / f32(p.n); out[i] = x[u32(floor(u * f32(p.n)))];", nil},
		"back and forth":    {"out[i] = x[min(u32(f32(i) / 3.0 * 3.0), 2048u)];", nil},
		"a scale":           {"out[i] = x[min(u32(f32(i) * p.scale), p.n - 1u)];", nil},
		"random":            {"let r = f32(random(i)) / 4294967295.0; out[i] = x[u32(r * f32(p.n - 1u))];", nil},
		"a random f32":      {"out[i] = x[u32(f32(random(i)) * 2.3283064365386963e-10 * f32(p.n - 1u))];", nil},
		"a sine":            {"out[i] = x[u32(fract(sin(f32(i) * 12.9898) * 43758.5453) * 2000.0)];", nil},
		"a permutation":     {"let a = f32(i % 289u); let b = ((a * 34.0 + 1.0) * a) % 289.0; out[i] = x[u32(b)];", nil},
		"a hash":            {"out[i] = x[u32(f32(i) * 12345.678) % p.n];", nil},
		"a tile's division": {"out[i] = x[u32(floor(f32(i) / 7.0)) * 7u + i - i / 7u * 7u];", nil},
		"clamped away":      {"out[i] = x[min(u32(f16(i)), 100u)];", nil},
		"data":              {"out[i] = x[u32(f16(x[i])) % p.n];", nil},
		"a float's sum":     {"var s = 0.0h; for (var k = 0u; k < 9u; k++) { s += f16(x[k]) * 0.3h; } out[i] = f32(s);", nil},
		"only computed":     {"out[i] = f32(f16(i)) * 2.0;", nil},
	} {
		t.Run(name, func(t *testing.T) {
			source := shader.ReadWith("test.wgsl", roundedHead+c.body+"\n}\n", types.AllFeatures)
			require.Nil(t, source.Unrunnable())
			program, err := sim.CompileEntry(source, nil, false)
			require.NoError(t, err)
			found, all, err := program.Rounded(t.Context(), [3]uint32{33, 1, 1}, roundedBuffers(program))
			require.NoError(t, err)
			require.True(t, all)
			if c.want == nil {
				require.Empty(t, found)
				return
			}
			require.NotEmpty(t, found)
			assert.Equal(t, findings.RoundedWhole, found[0].Kind)
			for _, want := range c.want {
				assert.Contains(t, found[0].Message, want)
			}
			assert.Contains(t, found[0].Message, "Compute it with whole numbers")
		})
	}
}

// roundedBuffers has 2,200 numbers to read, n = 2,049, and 2^24 + 1.
func roundedBuffers(program *sim.Program) (all []sim.BoundBuffer) {
	const n = 2200
	params := make([]byte, 16)
	for i, v := range []uint32{2049, 1<<24 + 1, 0x3f000000, 0} {
		binary.LittleEndian.PutUint32(params[4*i:], v)
	}
	data := [][]byte{shader.FloatBuffer(make([]float32, n)).Bytes, make([]byte, 4*n), params, make([]byte, 16), make([]byte, 4096*4), make([]byte, 4*n), make([]byte, 4*n)}
	for _, b := range program.Bindings {
		if b.Handle() {
			all = append(all, textured(b.Number, "rgba8unorm", 4096, 1, data[b.Number]))
			continue
		}
		all = append(all, sim.BoundBuffer{Binding: b.Number, Data: data[b.Number]})
	}
	return all
}
