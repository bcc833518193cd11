package sim_test

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// textured binds a texture with one layer.
func textured(binding uint32, format string, width, height uint32, data []byte) sim.BoundBuffer {
	return sim.BoundBuffer{Binding: binding, Data: data, Texture: &sim.BoundTexture{
		Extent: texture.Extent{Size: [3]uint32{width, height, 1}, Levels: 1, Samples: 1}, Format: texture.FormatNamed(format),
	}}
}

func runBound(t *testing.T, code string, workgroups [3]uint32, bound ...sim.BoundBuffer) []findings.Finding {
	t.Helper()
	result, err := mustBuild(t, code).Run(context.Background(), workgroups, bound, sim.Options{Watch: true})
	require.NoError(t, err)
	require.True(t, result.Finished)
	return result.Findings
}

// A function gets the texture as a parameter, and its caller chooses which.
func TestTexturesAreParameters(t *testing.T) {
	out := make([]byte, 2*4)
	require.Empty(t, runBound(t, `
@group(0) @binding(0) var a: texture_2d<u32>;
@group(0) @binding(1) var b: texture_2d<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;
fn corner(t: texture_2d<u32>) -> u32 { return textureLoad(t, textureDimensions(t) - 1, 0).r; }
@compute @workgroup_size(1) fn main() { out[0] = corner(a); out[1] = corner(b); }`, [3]uint32{1, 1, 1},
		textured(0, "r8uint", 2, 2, []byte{1, 2, 3, 4}), textured(1, "r16uint", 1, 2, []byte{0, 0, 0x39, 5}), sim.BoundBuffer{Binding: 2, Data: out}))
	require.Equal(t, []uint32{4, 0x539}, []uint32{binary.LittleEndian.Uint32(out), binary.LittleEndian.Uint32(out[4:])})
}

// What a shader stores comes back in the texture's own bytes, and reads as these hold it.
func TestTextureStore(t *testing.T) {
	texels, out := make([]byte, 3*4), make([]byte, 4)
	require.Empty(t, runBound(t, `
@group(0) @binding(0) var img: texture_storage_2d<bgra8unorm, read_write>;
@group(0) @binding(1) var<storage, read_write> out: f32;
@compute @workgroup_size(1) fn main() {
  textureStore(img, vec2(1, 0), vec4(1, 0.5, 0, 7));
  textureStore(img, vec2(9, 0), vec4(1));
  out = textureLoad(img, vec2(1, 0)).g;
}`, [3]uint32{1, 1, 1}, textured(0, "bgra8unorm", 3, 1, texels), sim.BoundBuffer{Binding: 1, Data: out}), "a store out of bounds does nothing")
	require.Equal(t, []byte{0, 0, 0, 0, 0, 128, 255, 255, 0, 0, 0, 0}, texels)
	require.Equal(t, float32(128.0/255), math.Float32frombits(binary.LittleEndian.Uint32(out)))
}

const neighbours = `
@group(0) @binding(0) var img: texture_storage_2d<r32uint, read_write>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  textureStore(img, vec2(i, 0), vec4(i));
  BARRIER();
  let left = textureLoad(img, vec2((i + 3) % 4, 0)).r;
  textureBarrier();
  textureStore(img, vec2(i, 1), vec4(left));
}`

func TestTextureRaces(t *testing.T) {
	run := func(barrier string) []findings.Finding {
		code := strings.ReplaceAll(neighbours, "BARRIER", barrier)
		return runBound(t, code, [3]uint32{1, 1, 1}, textured(0, "r32uint", 4, 2, make([]byte, 8*4)))
	}
	require.Empty(t, run("textureBarrier"))
	found := run("storageBarrier")
	require.NotEmpty(t, found)
	require.Equal(t, findings.RaceStorage, found[0].Kind)
	require.Equal(t, "in workgroup 0, invocation 0 reads `img[3, 0]` on line 6 and invocation 3 writes it on line 4; there is no `textureBarrier()` between them", found[0].Message)

	found = runBound(t, `
@group(0) @binding(0) var img: texture_storage_2d<r32float, write>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { textureStore(img, id.xy / 2, vec4f(id.xyzz)); }`,
		[3]uint32{1, 1, 1}, textured(0, "r32float", 2, 1, make([]byte, 8)))
	require.Equal(t, "in workgroup 0, invocation 0 and invocation 1 both write `img[0, 0]` on line 3; either value may be the one that stays", found[0].Message)
}

// A load out of bounds may give another texel, so it is a mistake where the result depends on it.
func TestTexelOutOfBounds(t *testing.T) {
	code := `
@group(0) @binding(0) var img: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  let right = textureLoad(img, vec2i(i32(i) + 1, 0), LEVEL).r;
  if KEEP { out[i] = right; }
}`
	run := func(level, keep string) []findings.Finding {
		return runBound(t, strings.NewReplacer("LEVEL", level, "KEEP", keep).Replace(code), [3]uint32{1, 1, 1},
			textured(0, "r8unorm", 4, 1, []byte{1, 2, 3, 4}), sim.BoundBuffer{Binding: 1, Data: make([]byte, 16)})
	}
	found := run("0", "true")
	require.Len(t, found, 1)
	require.Equal(t, findings.Error, found[0].Severity)
	require.Equal(t, "invocation 3 of workgroup 0 reads texel (4, 0) of `img`, which has 4 × 1 texels; here it reads 0, but a GPU may read another texel", found[0].Message)
	require.Equal(t, findings.Remark, run("0", "i < 3")[0].Severity)
	require.Contains(t, run("1", "true")[0].Message, "reads texel (1, 0) of mip level 1 of `img`, which has 4 × 1 texels there and 1 mip levels")
}

func TestBoundTextureMustFit(t *testing.T) {
	image := func(format string, width, height, bytes int) sim.BoundBuffer {
		return textured(0, format, uint32(width), uint32(height), make([]byte, bytes))
	}
	buffer := sim.BoundBuffer{Data: make([]byte, 16)}
	sampler := sim.BoundBuffer{Sampler: &texture.Filter{}}
	layers := image("rgba8unorm", 1, 1, 8)
	layers.Texture.Size[2] = 2
	levels := image("rgba8unorm", 1, 1, 8)
	levels.Texture.Levels = 2
	for _, c := range []struct {
		variable string
		bound    sim.BoundBuffer
		want     string
	}{
		{"texture_2d<f32>", buffer, "`t` is a texture, but something else is bound"},
		{"sampler", image("rgba8unorm", 1, 1, 4), "`t` is a sampler, but something else is bound"},
		{"sampler_comparison", sampler, "`t` compares, but the sampler has no comparison"},
		{"texture_2d<f32>", image("rgba8uint", 1, 1, 4), "`t` is texture_2d<f32>, but the format rgba8uint holds u32"},
		{"texture_storage_2d<rgba8unorm, write>", image("r32float", 1, 1, 4), "`t` is texture_storage_2d<rgba8unorm, write>, but the format of the bound texture is r32float"},
		{"texture_2d<f32>", image("rgba8unorm", 2, 2, 4), "`t` is texture_2d<f32>, but its 4 texels take 16 bytes, not 4"},
		{"texture_1d<f32>", image("rgba8unorm", 1, 2, 8), "`t` is texture_1d<f32>, but the bound texture has 2 rows"},
		{"texture_3d<f32>", image("rgba8unorm", 1, 1, 4), "`t` is texture_3d<f32>, but the dimension of the bound texture is another"},
		{"texture_2d<f32>", layers, "`t` is texture_2d<f32>, but the bound texture has 2 layers"},
		{"texture_cube<f32>", layers, "`t` is texture_cube<f32>, but a cube has six square faces, and the bound texture has 2 layers of 1 × 1"},
		{"texture_2d<f32>", levels, "`t` is texture_2d<f32>, but a texture of this size has at most 1 mip levels"},
	} {
		p := mustBuild(t, "@group(0) @binding(0) var t: "+c.variable+";\n@compute @workgroup_size(1) fn main() { _ = t; }")
		_, err := p.Run(context.Background(), [3]uint32{1, 1, 1}, []sim.BoundBuffer{c.bound}, sim.Options{})
		require.EqualError(t, err, c.want)
	}
	p := mustBuild(t, "@group(0) @binding(0) var<storage> t: array<u32>;\n@compute @workgroup_size(1) fn main() { _ = t[0]; }")
	_, err := p.Run(context.Background(), [3]uint32{1, 1, 1}, []sim.BoundBuffer{image("rgba8unorm", 1, 1, 4)}, sim.Options{})
	require.EqualError(t, err, "`t` is a buffer, but a texture or sampler is bound")
}

// Sizes, counts, and sampling from a function of a shader; package texture tests the filters.
func TestSamplingFunctions(t *testing.T) {
	out := make([]byte, 12*4)
	cube := sim.BoundBuffer{Binding: 2, Data: make([]byte, 12*4), Texture: &sim.BoundTexture{
		Extent: texture.Extent{Size: [3]uint32{1, 1, 12}, Levels: 1, Samples: 1}, Format: texture.FormatNamed("depth32float"),
	}}
	binary.LittleEndian.PutUint32(cube.Data[7*4:], math.Float32bits(0.75)) // -x of the second cube
	many := sim.BoundBuffer{Binding: 4, Data: []byte{1, 2, 3, 4, 5, 6, 7, 8}, Texture: &sim.BoundTexture{
		Extent: texture.Extent{Size: [3]uint32{2, 1, 1}, Levels: 1, Samples: 4}, Format: texture.FormatNamed("r8unorm"),
	}}
	require.Empty(t, runBound(t, `
@group(0) @binding(0) var img: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@group(0) @binding(2) var shadow: texture_depth_cube_array;
@group(0) @binding(3) var compare: sampler_comparison;
@group(0) @binding(4) var many: texture_multisampled_2d<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32, 12>;
fn sampled(t: texture_2d<f32>, s: sampler, at: vec2f) -> f32 { return textureSampleLevel(t, s, at, 0).r; }
@compute @workgroup_size(1) fn main() {
  out[0] = sampled(img, s, vec2(0.5));
  out[1] = textureSampleBaseClampToEdge(img, s, vec2(-3.0, 0.0)).r;
  out[2] = textureSampleGrad(img, s, vec2(0.75, 0.5), vec2f(), vec2f()).r;
  out[3] = textureGather(0, img, s, vec2(0.5)).y;
  out[4] = f32(textureNumLayers(shadow));
  out[5] = f32(textureDimensions(shadow).x);
  out[6] = textureSampleLevel(shadow, s, vec3(-1.0, 0, 0), 1, 0);
  out[7] = textureSampleCompareLevel(shadow, compare, vec3(-1.0, 0, 0), 1, 0.5);
  out[8] = textureGatherCompare(shadow, compare, vec3(-1.0, 0, 0), 0, 0.5).x;
  out[9] = f32(textureNumSamples(many));
  out[10] = textureLoad(many, vec2(1, 0), 2).r * 255;
  out[11] = f32(textureNumLevels(img));
}`, [3]uint32{1, 1, 1}, textured(0, "r8unorm", 2, 1, []byte{0, 255}), sim.BoundBuffer{Binding: 1, Sampler: &texture.Filter{Magnify: true}}, cube,
		sim.BoundBuffer{Binding: 3, Sampler: &texture.Filter{Compare: texture.Compares["less"]}}, many, sim.BoundBuffer{Binding: 5, Data: out}))
	var got []float32
	for i := range 12 {
		got = append(got, math.Float32frombits(binary.LittleEndian.Uint32(out[4*i:])))
	}
	require.Equal(t, []float32{0.5, 0, 1, 1, 2, 1, 0.75, 1, 0, 4, 7, 1}, got)
}

// An exact run needs bounds, which texels don't have. Everything else steps, traces and explains.
func TestTexturesInTheOtherRuns(t *testing.T) {
	code := `
@group(0) @binding(0) var img: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1) fn main() { out[0] = textureLoad(img, vec2(1, 0), 0).r + 1; }`
	p := mustBuild(t, code)
	bound := []sim.BoundBuffer{textured(0, "r32float", 2, 1, append(make([]byte, 4), binary.LittleEndian.AppendUint32(nil, math.Float32bits(2))...)), {Binding: 1, Data: make([]byte, 4)}}
	_, err := p.Run(context.Background(), [3]uint32{1, 1, 1}, bound, sim.Options{Exact: true})
	require.ErrorIs(t, err, sim.ErrNotExact)
	origin, err := p.Explain(context.Background(), [3]uint32{1, 1, 1}, bound, 0, 1, 0)
	require.NoError(t, err)
	require.NotNil(t, origin)
	trace := sim.Trace{}
	_, err = p.Run(context.Background(), [3]uint32{1, 1, 1}, bound, sim.Options{Trace: &trace})
	require.NoError(t, err)
	require.Equal(t, "vec4f", trace.Variables[0].Element.String())
	require.Equal(t, []int{2, 4, 2}, []int{trace.Variables[0].Elements, int(trace.Variables[0].ElementBytes), trace.Variables[0].Columns})
}
