package anyshader

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// bindingOf compiles a shader with one variable.
func bindingOf(t *testing.T, variable string) *sim.Program {
	t.Helper()
	code := "@group(0) @binding(0) var t: " + variable + ";\n@compute @workgroup_size(1) fn main() { _ = t; }"
	p, err := sim.CompileEntry(shader.ReadWith("test.wgsl", code, types.AllFeatures), nil, false)
	require.NoError(t, err)
	return p
}

func fitted(t *testing.T, text, variable string) *Argument {
	t.Helper()
	b, err := Parse(text, nil)
	require.NoError(t, err)
	require.NoError(t, b.Fit(bindingOf(t, variable)))
	return b
}

func TestParseTextures(t *testing.T) {
	raw := filepath.Join(t.TempDir(), "raw.bin")
	require.NoError(t, os.WriteFile(raw, []byte{1, 2, 3, 4, 5, 6}, 0o644))
	for _, c := range []struct {
		text, variable, kind string
		data                 []byte
	}{
		{"0=texture[3,2]", "texture_2d<f32>", "rgba8unorm[3,2,1]", []byte{
			0, 0, 0, 255, 128, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 128, 255, 0, 255, 255, 255, 0, 255,
		}},
		{"0=texture[1,1]", "texture_storage_2d<r32float, write>", "r32float[1,1,1]", []byte{0, 0, 0, 0}},
		{"0=texture[1]", "texture_1d<u32>", "rgba32uint[1,1,1]", []byte{0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}},
		{"0=rg8sint[2,1]:-1,2,3,-4", "texture_2d<i32>", "rg8sint[2,1,1]", []byte{255, 2, 3, 252}},
		{"0=rgba8unorm[2,1]:1,0,0,1", "texture_2d<f32>", "rgba8unorm[2,1,1]", []byte{255, 0, 0, 255, 255, 0, 0, 255}},
		{"0=r8uint[2,2;levels=2]@" + raw + "", "texture_2d<u32>", "", nil},
		{"0=r8uint[3,2]@" + raw, "texture_2d<u32>", "r8uint[3,2,1]", []byte{1, 2, 3, 4, 5, 6}},
		{"0=r8unorm[1,1;samples=4]:0.2", "texture_multisampled_2d<f32>", "r8unorm[1,1,1]", []byte{51, 51, 51, 51}},
	} {
		b, err := Parse(c.text, nil)
		require.NoError(t, err)
		err = b.Fit(bindingOf(t, c.variable))
		if c.data == nil {
			require.EqualError(t, err, "@group(0) @binding(0): 5 texels of r8uint take 5 bytes, but the file has 6")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.data, b.Data, c.text)
		require.Equal(t, c.kind, b.Type())
	}
}

func TestParseTexturesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"0=texture[2":                "write texture[WIDTH,HEIGHT]",
		"0=texture[0,1]":             `"0" is not a number of texels`,
		"0=texture[1,2,3,4]":         "give at most width, height and depth",
		"0=texture[1,1;mips=2]":      "write levels=N or samples=N",
		"0=texture[1,1]=5":           "write :v,v,… or @FILE after the size",
		"0=texture[65535,65535]":     "has more than 67108864 texels",
		"0=sampler:bilinear":         `a sampler has no setting "bilinear"`,
		"0=rgba9unorm[2,2]":          `"rgba9unorm" is not a texture format`,
		"0=r8unorm[2,2]@no such.bin": "no such file",
	} {
		_, err := Parse(text, nil)
		require.ErrorContains(t, err, want, text)
	}
	for _, c := range [][3]string{
		{"0=f32[2]", "texture_2d<f32>", "@group(0) @binding(0): `t` is a texture: write FORMAT[WIDTH,HEIGHT], such as texture[64,64], or @FILE.png"},
		{"0=f32[2]", "sampler", "@group(0) @binding(0): `t` is a sampler: write sampler or sampler:linear,repeat"},
		{"0=r8unorm[2,2]:1,2,3", "texture_2d<f32>", "@group(0) @binding(0): 3 values do not fill 4 texels of 1 channels"},
		{"0=r8uint[1,1]:x", "texture_2d<u32>", "@group(0) @binding(0): \"x\" is not a value for a channel of r8uint"},
	} {
		b, err := Parse(c[0], nil)
		require.NoError(t, err)
		require.EqualError(t, b.Fit(bindingOf(t, c[1])), c[2])
	}
}

func TestParseSampler(t *testing.T) {
	f := fitted(t, "0=sampler:linear, repeat", "sampler").Sampler
	require.True(t, f.Magnify && f.Minify && f.Mip)
	require.NotNil(t, fitted(t, "0=sampler", "sampler_comparison").Sampler.Compare, "WebGPU needs one, so there is a usual one")
}

// A picture goes in and comes out again.
func TestPictures(t *testing.T) {
	picture := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	picture.SetNRGBA(0, 0, color.NRGBA{R: 10, G: 20, B: 30, A: 40})
	picture.SetNRGBA(1, 0, color.NRGBA{R: 255, A: 255})
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, picture))
	path := filepath.Join(t.TempDir(), "photo.png")
	require.NoError(t, os.WriteFile(path, file.Bytes(), 0o644))
	b := fitted(t, "0=@"+path, "texture_2d<f32>")
	require.Equal(t, []byte{10, 20, 30, 40, 255, 0, 0, 255}, b.Data)
	require.Equal(t, picture, b.Picture())

	files, err := Saved([]*Argument{b}, []string{"0=again.png", "0=again.bin"}, nil)
	require.NoError(t, err)
	require.Equal(t, b.Data, files["again.bin"])
	again, err := png.Decode(bytes.NewReader(files["again.png"]))
	require.NoError(t, err)
	require.Equal(t, picture, again)
	for text, want := range map[string]string{"0": "0: write N=FILE", "1=x.png": "1=x.png: nothing is bound there", "x=y": `x=y: "x" is not a binding number`} {
		_, err := Saved([]*Argument{b}, []string{text}, nil)
		require.EqualError(t, err, want)
	}
	_, err = Saved([]*Argument{{Data: []byte{1, 2, 3, 4}, Element: types.U32}}, []string{"0=x.png"}, nil)
	require.EqualError(t, err, "0=x.png: only a texture becomes a picture; choose another ending")

	grey := fitted(t, "0=r32uint[2,1]:1,4", "texture_2d<u32>").Picture()
	require.Equal(t, color.NRGBA{R: 64, G: 64, B: 64, A: 255}, grey.At(0, 0), "a share of the largest")
	require.Equal(t, color.NRGBA{R: 255, G: 255, B: 255, A: 255}, grey.At(1, 0))
}
