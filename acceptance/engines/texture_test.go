//go:build acceptance

package engines

import (
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

//go:embed textures.js
var texturesJS string

// points is the number of places that each case samples, and weightError what 8 bits of a filter's
// weights may cost: the least that the Vulkan specification lets a device use
// (subTexelPrecisionBits) is 4, and today's have 8.
const (
	points      = 256
	weightError = 1.5 / 255
)

// A sampling is one way to read a texture.
type sampling struct {
	name      string
	variable  string // the type of t
	view      string // the dimension of WebGPU's view
	format    string
	size      [3]uint32
	levels    uint32
	expresses string   // the vec4f for place a, with b, i and layer
	settings  []string // of the sampler, as WebGPU names them
	within    float64
}

func samplings() (all []sampling) {
	add := func(name, variable, view, format string, size [3]uint32, levels uint32, within float64, expresses string, settings ...string) {
		all = append(all, sampling{name, variable, view, format, size, levels, expresses, settings, within})
	}
	image := [3]uint32{7, 5, 1}
	for _, mode := range []string{"clamp-to-edge", "repeat", "mirror-repeat"} {
		add("linear, "+mode, "texture_2d<f32>", "2d", "rgba8unorm", image, 3, weightError, "textureSampleLevel(t, s, a.xy, a.w)", "linear", mode)
		add("nearest, "+mode, "texture_2d<f32>", "2d", "rgba8unorm", image, 3, 1e-6, "textureSampleLevel(t, s, a.xy, a.w)", "nearest", mode)
	}
	add("with an offset", "texture_2d<f32>", "2d", "rgba8unorm", image, 1, weightError, "textureSampleLevel(t, s, a.xy, 0, vec2i(-2, 3))", "linear", "repeat")
	add("volume", "texture_3d<f32>", "3d", "rgba8unorm", [3]uint32{7, 5, 4}, 3, weightError, "textureSampleLevel(t, s, a.xyz, a.w)", "linear", "repeat")
	add("row", "texture_1d<f32>", "1d", "rgba8unorm", [3]uint32{7, 1, 1}, 1, weightError, "textureSampleLevel(t, s, a.x, 0)", "linear", "repeat")
	add("layers", "texture_2d_array<f32>", "2d-array", "rgba8unorm", [3]uint32{7, 5, 3}, 3, weightError, "textureSampleLevel(t, s, a.xy, layer, a.w)", "linear", "clamp-to-edge")
	add("cube", "texture_cube<f32>", "cube", "rgba8unorm", [3]uint32{8, 8, 6}, 1, 1e-6, "textureSampleLevel(t, s, a.xyz, 0)", "nearest", "clamp-to-edge")
	add("cubes", "texture_cube_array<f32>", "cube-array", "rgba8unorm", [3]uint32{8, 8, 12}, 1, 1e-6, "textureSampleLevel(t, s, a.xyz, i % 3, 0)", "nearest", "clamp-to-edge")
	add("gather", "texture_2d<f32>", "2d", "rgba8unorm", image, 1, 1e-6, "textureGather(2, t, s, a.xy, vec2i(1, -2))", "nearest", "repeat")
	add("smaller than a pixel", "texture_2d<f32>", "2d", "rgba8unorm", image, 1, weightError, "textureSampleBaseClampToEdge(t, s, a.xy)", "linear", "repeat")
	for _, compare := range []string{"less", "greater-equal"} {
		add("gather, "+compare, "texture_depth_2d", "2d", "depth16unorm", image, 1, 1e-6, "textureGatherCompare(t, s, a.xy, b.x + 0.5)", "linear", "repeat", compare)
	}
	add("sizes", "texture_2d_array<f32>", "2d-array", "rgba8unorm", [3]uint32{7, 5, 3}, 3, 0, "vec4f(vec2f(textureDimensions(t, i % 3)), f32(textureNumLayers(t)), f32(textureNumLevels(t)))", "nearest", "repeat")
	for _, format := range []string{"r8unorm", "rg8snorm", "rgba8snorm", "bgra8unorm", "rgba8unorm-srgb", "rgb10a2unorm", "rg11b10ufloat", "rgba16float", "r32float"} {
		within := 1e-6
		if strings.HasSuffix(format, "-srgb") {
			within = weightError // a device may decode with a table
		}
		add("load of "+format, "texture_2d<f32>", "2d", format, [3]uint32{16, 16, 1}, 1, within, "textureLoad(t, vec2u(i % 16, i / 16), 0)")
	}
	return all
}

// A texture gives the same texels in the simulator and in Chromium, whatever its format and however
// a shader reads it.
func TestTexturesInChromium(t *testing.T) {
	page := openTextures(t)
	for seed, c := range samplings() {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 0))
			code := "@group(0) @binding(0) var t: " + c.variable + ";\n"
			if len(c.settings) > 0 {
				code += "@group(0) @binding(1) var s: sampler;\n"
				if len(c.settings) > 2 {
					code = strings.Replace(code, "sampler", "sampler_comparison", 1)
				}
			}
			code += fmt.Sprintf(`@group(0) @binding(2) var<storage> p: array<array<vec4f, 2>>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4f>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  let layer = i %% 4;
  let a = p[i][0];
  let b = p[i][1];
  out[i] = %s;
}`, c.expresses)
			image := c.image(r)
			compareTextured(t, page, code, []string{"main"}, c, image, places(r))
		})
	}
}

// A texel that a shader stores comes back the same, whatever the format.
func TestStoredTexelsInChromium(t *testing.T) {
	page := openTextures(t)
	for _, format := range strings.Fields(`rgba8unorm rgba8snorm rgba8uint rgba8sint rgba16float rgba16uint rgba16sint r32float r32uint r32sint
		rg32float rg32uint rg32sint rgba32float rgba32uint rgba32sint bgra8unorm`) {
		t.Run(format, func(t *testing.T) {
			kind, within := "f32", 1e-6
			switch integer, sign := texture.FormatNamed(format).Integer(); {
			case sign:
				kind, within = "i32", 0
			case integer:
				kind, within = "u32", 0
			case format == "rgba16float":
				within = 1.0 / 1024 // of a value from -2 to 2: a device may round towards zero
			}
			code := strings.NewReplacer("FORMAT", format, "KIND", kind).Replace(`
@group(0) @binding(4) var stored: texture_storage_2d<FORMAT, write>;
@group(0) @binding(0) var t: texture_2d<KIND>;
@group(0) @binding(2) var<storage> p: array<array<vec4f, 2>>;
@group(0) @binding(3) var<storage, read_write> out: array<vec4<KIND>>;
@compute @workgroup_size(64) fn main1(@builtin(global_invocation_id) id: vec3u) {
  textureStore(stored, vec2u(id.x % 16, id.x / 16), vec4<KIND>(p[id.x][0]));
}
@compute @workgroup_size(64) fn main2(@builtin(global_invocation_id) id: vec3u) {
  out[id.x] = textureLoad(t, vec2u(id.x % 16, id.x / 16), 0);
}`)
			c := sampling{format: format, view: "2d", size: [3]uint32{16, 16, 1}, levels: 1, within: within}
			image := sim.BoundTexture{Extent: c.extent(), Format: texture.FormatNamed(format)}
			bound := sim.BoundBuffer{Data: make([]byte, 256*image.Format.Bytes), Texture: &image}
			compareTextured(t, page, code, []string{"main1", "main2"}, c, bound, places(rand.New(rand.NewPCG(1, 0))))
		})
	}
}

func openTextures(t *testing.T) *browser.Page {
	t.Helper()
	empty := filepath.Join(t.TempDir(), "empty.html")
	require.NoError(t, os.WriteFile(empty, []byte("<!DOCTYPE html><title>empty</title>"), 0o644))
	page, err := browser.For(t, browser.WebGPU).Open("file://" + empty)
	require.NoError(t, err)
	t.Cleanup(page.Close)
	_, err = browser.Evaluate[bool](page, "(() => {"+texturesJS+"return true; })()")
	require.NoError(t, err)
	return page
}

func (c *sampling) extent() texture.Extent {
	return texture.Extent{Size: c.size, Volume: c.view == "3d", Levels: c.levels, Samples: 1}
}

// image draws the texels: any bytes, but for formats of floats no infinity and no NaN.
func (c *sampling) image(r *rand.Rand) sim.BoundBuffer {
	bound := &sim.BoundTexture{Extent: c.extent(), Format: texture.FormatNamed(c.format)}
	data := make([]byte, bound.Texels()*uint64(bound.Format.Bytes))
	for i := 0; i < len(data); i += bound.Format.Bytes {
		var texel texture.Texel
		for j := range texel {
			texel[j] = math.Float32bits(r.Float32())
		}
		bound.Format.Encode(texel, data[i:])
	}
	return sim.BoundBuffer{Data: data, Texture: bound}
}

// places draws coordinates from -1.5 to 2.5, levels, and comparisons.
func places(r *rand.Rand) []byte {
	var data []byte
	for range points * 8 {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(4*r.Float32()-1.5))
	}
	return data
}

// compareTextured runs entry points in both, and compares the buffer that they leave.
func compareTextured(t *testing.T, page *browser.Page, code string, entries []string, c sampling, image sim.BoundBuffer, given []byte) {
	t.Helper()
	source := shader.ReadWith("texture.wgsl", code, types.AllFeatures)
	filter, settings := filterOf(c.settings)
	out := make([]byte, points*16)
	request, err := json.Marshal(map[string]any{
		"code": code, "workgroups": []int{points / 64, 1, 1}, "words": points * 4, "points": given, "sampler": settings, "storage": len(entries) > 1,
		"texture": map[string]any{
			"format": c.format, "size": c.size, "levels": c.levels, "view": c.view, "dimension": dimension(c.view), "bytes": image.Texture.Format.Bytes, "data": image.Data,
		},
	})
	require.NoError(t, err)
	words, err := browser.Evaluate[[]uint32](page, "runTextured("+string(request)+")")
	require.NoError(t, err, code)

	stored := image
	stored.Binding = 4
	for _, entry := range entries {
		program, err := sim.CompileEntry(source.At(entry), nil, false)
		require.NoError(t, err, code)
		_, err = program.Run(t.Context(), [3]uint32{points / 64, 1, 1}, []sim.BoundBuffer{
			image, {Binding: 1, Sampler: filter}, {Binding: 2, Data: given}, {Binding: 3, Data: out}, stored,
		}, sim.Options{})
		require.NoError(t, err)
	}
	require.Len(t, words, points*4)
	integer, _ := image.Texture.Format.Integer()
	for i, theirs := range words {
		ours := binary.LittleEndian.Uint32(out[4*i:])
		if integer {
			require.Equal(t, theirs, ours, "channel %d of place %d", i%4, i/4)
			continue
		}
		require.InDelta(t, math.Float32frombits(theirs), math.Float32frombits(ours), c.within, "channel %d of place %d", i%4, i/4)
	}
}

func dimension(view string) string {
	if view == "1d" || view == "3d" {
		return view
	}
	return "2d"
}

// filterOf returns the sampler of some settings, ours and WebGPU's.
func filterOf(settings []string) (*texture.Filter, map[string]string) {
	f := &texture.Filter{MaxLevel: 32}
	if len(settings) == 0 {
		return f, map[string]string{}
	}
	linear := settings[0] == "linear"
	f.Magnify, f.Minify, f.Mip = linear, linear, linear
	mode := map[string]texture.AddressMode{"clamp-to-edge": texture.ClampToEdge, "repeat": texture.Repeat, "mirror-repeat": texture.MirrorRepeat}[settings[1]]
	f.Address = [3]texture.AddressMode{mode, mode, mode}
	theirs := map[string]string{
		"magFilter": settings[0], "minFilter": settings[0], "mipmapFilter": settings[0],
		"addressModeU": settings[1], "addressModeV": settings[1], "addressModeW": settings[1],
	}
	if len(settings) > 2 {
		f.Compare, theirs["compare"] = texture.Compares[settings[2]], settings[2]
	}
	return f, theirs
}
