// Package texture holds texels as the simulator sees them: formats, extents, and how a sampler
// filters. It knows no shader and no machine.
//
// A texel is four words in the order red, green, blue, alpha: the bits of an f32, i32 or u32 each,
// as textureLoad returns them. A missing colour is 0 and a missing alpha 1.
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.
package texture

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// A Texel is the four channels of a texel as a shader reads them.
type Texel [4]uint32

// A Format says how the bytes of a texel hold its channels (§ 6.6.1, and § 26.1 of the WebGPU
// specification).
type Format struct {
	Name     string
	Bytes    int // of a texel
	channels []channel
}

// A channel is where a format holds a channel, and how.
type channel struct {
	of    int // 0 for red to 3 for alpha
	shift int // its first bit in the texel, little-endian
	bits  int
	as    encoding
}

// An encoding is how bits hold a channel: the channel transfer functions of § 6.6.1.
type encoding uint8

const (
	unorm encoding = iota
	snorm
	whole  // uint
	signed // sint
	float
	tiny // float without a sign
	srgb // unorm, but not linear
)

// formats holds every uncompressed format of WebGPU but those with a stencil.
var formats = func() map[string]*Format {
	all := map[string]*Format{}
	add := func(name string, channels ...channel) {
		f := &Format{Name: name, channels: channels}
		for _, c := range channels {
			f.Bytes = max(f.Bytes, (c.shift+c.bits+7)/8)
		}
		all[name] = f
	}
	even := func(order string, bits int, as encoding) (list []channel) {
		for i := range order {
			list = append(list, channel{slices.Index([]byte("rgba"), order[i]), i * bits, bits, as})
		}
		return list
	}
	names := map[encoding]string{unorm: "unorm", snorm: "snorm", whole: "uint", signed: "sint", float: "float"}
	for _, order := range []string{"r", "rg", "rgba"} {
		for as, name := range names {
			if as != float {
				add(order+"8"+name, even(order, 8, as)...)
			}
			add(order+"16"+name, even(order, 16, as)...)
			if as != unorm && as != snorm {
				add(order+"32"+name, even(order, 32, as)...)
			}
		}
	}
	add("bgra8unorm", even("bgra", 8, unorm)...)
	for _, order := range []string{"rgba", "bgra"} {
		list := even(order, 8, srgb)
		list[3].as = unorm
		add(order+"8unorm-srgb", list...)
	}
	for _, as := range []encoding{unorm, whole} {
		add("rgb10a2"+names[as], channel{0, 0, 10, as}, channel{1, 10, 10, as}, channel{2, 20, 10, as}, channel{3, 30, 2, as})
	}
	add("rg11b10ufloat", channel{0, 0, 11, tiny}, channel{1, 11, 11, tiny}, channel{2, 22, 10, tiny})
	add("depth16unorm", channel{0, 0, 16, unorm})
	add("depth32float", channel{0, 0, 32, float})
	return all
}()

// FormatNamed returns the format with a name of WebGPU's, or nil.
func FormatNamed(name string) *Format { return formats[name] }

// FormatNames returns the names of all formats in order.
func FormatNames() []string {
	var names []string
	for name := range formats {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Integer reports whether a shader reads the channels as integers, and whether these have a sign.
func (f *Format) Integer() (integer, sign bool) {
	as := f.channels[0].as
	return as == whole || as == signed, as == signed
}

// Channels returns the channels that the format holds: 0 for red, 1 green, 2 blue, 3 alpha.
func (f *Format) Channels() (list []int) {
	for _, c := range f.channels {
		list = append(list, c.of)
	}
	slices.Sort(list)
	return list
}

// Decode returns the texel in its first bytes.
func (f *Format) Decode(data []byte) Texel {
	texel := Texel{3: math.Float32bits(1)}
	if integer, _ := f.Integer(); integer {
		texel[3] = 1
	}
	for _, c := range f.channels {
		texel[c.of] = c.decode(c.in(data))
	}
	return texel
}

// Encode writes a texel to its first bytes.
func (f *Format) Encode(texel Texel, data []byte) {
	clear(data[:f.Bytes])
	for _, c := range f.channels {
		c.put(data, c.encode(texel[c.of]))
	}
}

// Stored returns what a texel becomes by storing it in this format.
func (f *Format) Stored(texel Texel) Texel {
	var data [16]byte
	f.Encode(texel, data[:])
	return f.Decode(data[:])
}

func (c channel) in(data []byte) uint32 {
	switch {
	case c.bits%8 == 0:
		var word [4]byte
		copy(word[:], data[c.shift/8:c.shift/8+c.bits/8])
		return binary.LittleEndian.Uint32(word[:])
	default:
		return binary.LittleEndian.Uint32(data) >> c.shift & (1<<c.bits - 1)
	}
}

func (c channel) put(data []byte, bits uint32) {
	if c.bits%8 == 0 {
		var word [4]byte
		binary.LittleEndian.PutUint32(word[:], bits)
		copy(data[c.shift/8:c.shift/8+c.bits/8], word[:])
		return
	}
	binary.LittleEndian.PutUint32(data, binary.LittleEndian.Uint32(data)|bits<<c.shift)
}

func (c channel) decode(bits uint32) uint32 {
	most := float64(uint64(1)<<c.bits - 1)
	switch c.as {
	case unorm:
		return f32(float64(bits) / most)
	case srgb:
		return f32(linear(float64(bits) / most))
	case snorm:
		return f32(max(float64(int32(bits<<(32-c.bits))>>(32-c.bits))/math.Floor(most/2), -1))
	case signed:
		return uint32(int32(bits<<(32-c.bits)) >> (32 - c.bits))
	case float:
		if c.bits == 16 {
			return math.Float32bits(numeric.FromF16Bits(uint16(bits)))
		}
	case tiny: // an f16 without its sign and its last bits
		return math.Float32bits(numeric.FromF16Bits(uint16(bits << (15 - c.bits))))
	}
	return bits
}

func (c channel) encode(value uint32) uint32 {
	most := uint64(1)<<c.bits - 1
	x := float64(math.Float32frombits(value))
	switch c.as {
	case unorm:
		return uint32(math.RoundToEven(clamped(x, 0, 1) * float64(most)))
	case srgb:
		return uint32(math.RoundToEven(curved(clamped(x, 0, 1)) * float64(most)))
	case snorm:
		return uint32(int32(math.RoundToEven(clamped(x, -1, 1)*float64(most>>1)))) & uint32(most)
	case whole:
		return uint32(min(uint64(value), most))
	case signed:
		least := -int64(most>>1) - 1
		return uint32(min(max(int64(int32(value)), least), int64(most>>1))) & uint32(most)
	case float:
		if c.bits == 16 {
			return uint32(numeric.F16Bits(float32(x)))
		}
	case tiny:
		return c.unsigned(x)
	}
	return value
}

// unsigned returns a number as a float without a sign: the nearest, and 0 for a negative number.
func (c channel) unsigned(x float64) uint32 {
	drop := 15 - c.bits
	switch {
	case x != x:
		return 0x1f<<(c.bits-5) | 1
	case x <= 0:
		return 0
	}
	half := uint32(numeric.F16Bits(float32(x)))
	rounded := (half + 1<<(drop-1)) >> drop
	return min(rounded, 0x1f<<(c.bits-5))
}

// clamped returns 0 for NaN.
func clamped(x, low, high float64) float64 {
	if x != x {
		return 0
	}
	return min(max(x, low), high)
}

func f32(x float64) uint32 { return math.Float32bits(float32(x)) }

// linear and curved are sRGB's transfer function and its inverse (IEC 61966-2-1).
func linear(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

func curved(x float64) float64 {
	if x <= 0.0031308 {
		return x * 12.92
	}
	return 1.055*math.Pow(x, 1/2.4) - 0.055
}
