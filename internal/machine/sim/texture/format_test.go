package texture

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func floats(x, y, z, w float32) Texel {
	return Texel{math.Float32bits(x), math.Float32bits(y), math.Float32bits(z), math.Float32bits(w)}
}

// The numbers are those of the channel transfer functions (§ 6.6.1).
func TestStored(t *testing.T) {
	negative := func(n int32) uint32 { return uint32(n) }
	nan := float32(math.NaN())
	for _, c := range []struct {
		format     string
		value, get Texel
	}{
		{"rgba8unorm", floats(0.5, -1, 2, nan), floats(128.0/255, 0, 1, 0)},
		{"rgba8snorm", floats(0.5, -1, 2, -0.25), floats(64.0/127, -1, 1, -32.0/127)},
		{"rgba8uint", Texel{1, 255, 256, math.MaxUint32}, Texel{1, 255, 255, 255}},
		{"rgba8sint", Texel{negative(-128), negative(-129), 127, 128}, Texel{negative(-128), negative(-128), 127, 127}},
		{"rgba16float", floats(1.0/3, 65520, -2, 1e-8), floats(0.33325195, float32(math.Inf(1)), -2, 0)},
		{"rgba16unorm", floats(0.5, 1, 0, 1), floats(32768.0/65535, 1, 0, 1)},
		{"r32float", floats(7.25, 1, 2, 3), floats(7.25, 0, 0, 1)},
		{"rg32uint", Texel{7, 8, 9, 10}, Texel{7, 8, 0, 1}},
		{"bgra8unorm", floats(1, 0, 0, 0.2), floats(1, 0, 0, 51.0/255)},
		{"rgb10a2unorm", floats(1, 0.5, 0, 0.4), floats(1, 512.0/1023, 0, 1.0/3)},
		{"rgb10a2uint", Texel{1023, 1024, 5, 9}, Texel{1023, 1023, 5, 3}},
		{"rg11b10ufloat", floats(1.5, -1, 64, 0), floats(1.5, 0, 64, 1)},
		{"depth16unorm", floats(0.25, 0, 0, 0), floats(16384.0/65535, 0, 0, 1)},
	} {
		got := FormatNamed(c.format).Stored(c.value)
		require.Equal(t, c.get, got, "%s", c.format)
	}
}

// Every format gives back what it holds, and takes as many bytes as its name says.
func TestEveryFormatIsItsOwnInverse(t *testing.T) {
	sizes := map[string]int{"r8unorm": 1, "rg8snorm": 2, "rgba8uint": 4, "rgba16sint": 8, "rgba32float": 16, "rg11b10ufloat": 4, "r16float": 2}
	for name, bytes := range sizes {
		require.Equal(t, bytes, FormatNamed(name).Bytes, name)
	}
	require.Len(t, FormatNames(), 44)
	for _, name := range FormatNames() {
		f := FormatNamed(name)
		rapid.Check(t, func(rt *rapid.T) {
			once := f.Stored(floats(rapid.Float32().Draw(rt, "r"), rapid.Float32().Draw(rt, "g"), rapid.Float32().Draw(rt, "b"), rapid.Float32().Draw(rt, "a")))
			require.Equal(rt, once, f.Stored(once), name)
		})
	}
}

// sRGB's curve is IEC 61966-2-1's: 188 of 255 is half of the light.
func TestSRGB(t *testing.T) {
	texel := FormatNamed("rgba8unorm-srgb").Decode([]byte{188, 0, 255, 128})
	require.InDelta(t, 0.5029, math.Float32frombits(texel[0]), 1e-4)
	require.Equal(t, float32(1), math.Float32frombits(texel[2]))
	require.InDelta(t, 128.0/255, math.Float32frombits(texel[3]), 1e-6, "alpha is linear")
}
