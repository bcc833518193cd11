package texture

import "math"

// An AddressMode says what a sampler reads beyond the edge of a texture (§ 8.2 of the WebGPU
// specification).
type AddressMode uint8

// The address modes.
const (
	ClampToEdge AddressMode = iota
	Repeat
	MirrorRepeat

	beyond // over the edge of a cube's face, to the next face
)

// A Filter is a sampler (§ 8.2 of the WebGPU specification). The zero value is WebGPU's default,
// except that MaxLevel 0 keeps to mip level 0.
type Filter struct {
	Magnify, Minify, Mip bool // linear; else the nearest
	Address              [3]AddressMode
	MinLevel, MaxLevel   float32
	Compare              Compare
}

// A Compare is the test of a comparison sampler: whether the reference passes against the texel.
type Compare func(reference, texel float32) bool

// Compares are WebGPU's comparison functions by name.
var Compares = map[string]Compare{
	"never":         func(float32, float32) bool { return false },
	"less":          func(r, t float32) bool { return r < t },
	"equal":         func(r, t float32) bool { return r == t },
	"less-equal":    func(r, t float32) bool { return r <= t },
	"greater":       func(r, t float32) bool { return r > t },
	"not-equal":     func(r, t float32) bool { return r != t },
	"greater-equal": func(r, t float32) bool { return r >= t },
	"always":        func(float32, float32) bool { return true },
}

// A TextureView is a texture to sample: its texels, four words each.
type TextureView struct {
	Extent
	Words []uint32
	Axes  int  // how many coordinates filter: 1, 2 or 3
	Cube  bool // the coordinates are a direction, and six layers are the faces
}

// A SamplePoint is where to sample: normalised coordinates, the layer, and offsets in texels.
type SamplePoint struct {
	At     [3]float32
	Layer  uint32
	Offset [3]int32
}

// Sample returns the filtered texel at a point and a mip level (§ 17.7.13).
func (v TextureView) Sample(f *Filter, p SamplePoint, level float32) [4]float32 {
	level = min(max(level, f.MinLevel), f.MaxLevel)
	linear := f.Minify
	if !(level > 0) { // NaN counts as 0
		level, linear = 0, f.Magnify
	}
	level = min(level, float32(v.Levels-1))
	if !f.Mip {
		return v.blend(f, p, uint32(level+0.5), linear, nil)
	}
	lower := uint32(level)
	part := level - float32(lower)
	out := v.blend(f, p, lower, linear, nil)
	if part == 0 {
		return out
	}
	upper := v.blend(f, p, lower+1, linear, nil)
	for i := range out {
		out[i] += part * (upper[i] - out[i])
	}
	return out
}

// SampleCompare compares the texels at mip level 0 with a reference, and blends the results: 1 for
// each that passes (§ 17.7.11).
func (v TextureView) SampleCompare(f *Filter, p SamplePoint, reference float32) float32 {
	return v.blend(f, p, 0, f.Magnify, func(texel float32) float32 { return passed(f, reference, texel) })[0]
}

func passed(f *Filter, reference, texel float32) float32 {
	if f.Compare != nil && f.Compare(min(max(reference, 0), 1), texel) {
		return 1
	}
	return 0
}

// Gather returns a channel of the four texels that linear filtering would blend, counter-clockwise
// from the lower left (§ 17.7.2).
func (v TextureView) Gather(f *Filter, p SamplePoint, component uint32) [4]uint32 {
	p, _ = v.flat(p)
	x, y := v.axis(f, p, 0, 0, true), v.axis(f, p, 1, 0, true)
	texel := func(x, y int32) uint32 { return v.texel([3]int32{x, y, int32(p.Layer)}, 0)[component&3] }
	return [4]uint32{texel(x.low, y.high), texel(x.high, y.high), texel(x.high, y.low), texel(x.low, y.low)}
}

// GatherCompare compares the four texels with a reference (§ 17.7.3).
func (v TextureView) GatherCompare(f *Filter, p SamplePoint, reference float32) (out [4]float32) {
	for i, bits := range v.Gather(f, p, 0) {
		out[i] = passed(f, reference, math.Float32frombits(bits))
	}
	return out
}

// LevelOf returns the mip level that suits how the coordinates change from one pixel to the next
// (§ 17.7.12): the longer of the two changes, in texels, on a scale of powers of 2.
func (v TextureView) LevelOf(ddx, ddy [3]float32) float32 {
	var longest float64
	for _, d := range [][3]float32{ddx, ddy} {
		var sum float64
		for axis := range v.Axes {
			size := v.Size[min(axis, 1)]
			if v.Volume {
				size = v.Size[axis]
			}
			texels := float64(d[axis]) * float64(size)
			sum += texels * texels
		}
		longest = max(longest, sum)
	}
	return float32(math.Log2(longest) / 2)
}

// HalfTexelInside moves a point so that linear filtering at mip level 0 never crosses an edge
// (§ 17.7.14).
func (v TextureView) HalfTexelInside(p SamplePoint) SamplePoint {
	for axis := range 2 {
		half := 0.5 / float32(v.Size[axis])
		p.At[axis] = min(max(p.At[axis], half), 1-half)
	}
	return p
}

// blend filters one mip level. through, if there is one, changes the first channel before that.
func (v TextureView) blend(f *Filter, p SamplePoint, level uint32, linear bool, through func(float32) float32) (out [4]float32) {
	p, count := v.flat(p)
	level = min(level, v.Levels-1)
	var axes [3]reach
	for axis := range count {
		axes[axis] = v.axis(f, p, axis, level, linear)
	}
	if !v.Volume {
		axes[2].low = int32(min(p.Layer, v.Size[2]-1))
	}
	for corner := range 1 << count {
		at, weight := [3]int32{axes[0].low, axes[1].low, axes[2].low}, float32(1)
		for axis := range count {
			if corner>>axis&1 == 1 {
				at[axis] = axes[axis].high
				weight *= axes[axis].part
			} else {
				weight *= 1 - axes[axis].part
			}
		}
		if weight == 0 {
			continue
		}
		meets, n := v.meeting(at, level)
		weight /= float32(n)
		for _, at := range meets[:n] {
			for i, bits := range v.texel(at, level) {
				value := math.Float32frombits(bits)
				if through != nil {
					value = through(value)
				}
				out[i] += weight * value
			}
		}
	}
	return out
}

// meeting returns the texel itself. At a corner of a cube, where there is none, it returns the
// three that meet there: their mean stands for it, as on most devices.
func (v TextureView) meeting(at [3]int32, level uint32) (list [3][3]int32, n int) {
	last := int32(v.Level(level)[0]) - 1
	x, y := min(max(at[0], 0), last), min(max(at[1], 0), last)
	if !v.Cube || x == at[0] || y == at[1] {
		return [3][3]int32{at}, 1
	}
	return [3][3]int32{{x, y, at[2]}, {at[0], y, at[2]}, {x, at[1], at[2]}}, 3
}

// texel returns a texel of a mip level. In a cube it may be one beyond the edge of a face.
func (v TextureView) texel(at [3]int32, level uint32) Texel {
	if v.Cube {
		at = v.onFace(at, level)
	}
	index, ok := v.Extent.At([3]uint32{uint32(at[0]), uint32(at[1]), uint32(at[2])}, level, 0)
	if !ok {
		return Texel{}
	}
	return Texel(v.Words[4*index : 4*index+4])
}

// A reach is the two texels of an axis around a coordinate, and the second one's share.
type reach struct {
	low, high int32
	part      float32
}

func (v TextureView) axis(f *Filter, p SamplePoint, axis int, level uint32, linear bool) reach {
	size, mode := v.Level(level)[axis], f.Address[axis]
	x := p.At[axis] * float32(size)
	if v.Cube {
		mode = beyond
	}
	if !linear {
		at := wrap(math.Floor(float64(x))+float64(p.Offset[axis]), size, mode)
		return reach{low: at, high: at}
	}
	x -= 0.5
	low := math.Floor(float64(x))
	from := low + float64(p.Offset[axis])
	return reach{wrap(from, size, mode), wrap(from+1, size, mode), x - float32(low)}
}

// wrap applies an address mode to the number of a texel. NaN counts as 0.
func wrap(at float64, size uint32, mode AddressMode) int32 {
	n := float64(size)
	switch {
	case at != at || math.IsInf(at, 0) && mode != ClampToEdge:
		return 0
	case mode == Repeat:
		at -= math.Floor(at/n) * n
	case mode == MirrorRepeat:
		at -= math.Floor(at/(2*n)) * 2 * n
		if at >= n {
			at = 2*n - 1 - at
		}
	case mode == beyond:
		return int32(min(max(at, -1), n))
	}
	return int32(min(max(at, 0), n-1))
}

// A face is a side of a cube: the axes, 0 to 2, along which its rows, its columns and its normal
// point, and their signs (WebGPU, "Texture view creation", and § 16.5.4 of the Vulkan
// specification).
type face struct {
	s, t, major             int
	signS, signT, signMajor float32
}

var faces = [6]face{
	{2, 1, 0, -1, -1, 1}, {2, 1, 0, 1, -1, -1},
	{0, 2, 1, 1, 1, 1}, {0, 2, 1, 1, -1, -1},
	{0, 1, 2, 1, -1, 1}, {0, 1, 2, -1, -1, -1},
}

// facing returns the face that a direction meets, and where: 0 to 1 from left to right and from top
// to bottom.
func facing(d [3]float32) (number uint32, s, t float32) {
	x, y, z := abs(d[0]), abs(d[1]), abs(d[2])
	switch {
	case z >= x && z >= y:
		number = 4
	case y >= x:
		number = 2
	}
	if math.Signbit(float64(d[faces[number].major])) {
		number++
	}
	f := faces[number]
	major := abs(d[f.major])
	return number, (f.signS*d[f.s]/major + 1) / 2, (f.signT*d[f.t]/major + 1) / 2
}

// flat turns a direction into a cube into a point on one of its faces, and returns how many
// coordinates filter.
func (v TextureView) flat(p SamplePoint) (SamplePoint, int) {
	if !v.Cube {
		return p, v.Axes
	}
	number, s, t := facing(p.At)
	return SamplePoint{At: [3]float32{s, t}, Layer: 6*p.Layer + number}, 2
}

// onFace returns the texel of a face for one beyond the edge of another face. At a corner, where
// three faces meet, there is none; then it is the nearest of the same face.
func (v TextureView) onFace(at [3]int32, level uint32) [3]int32 {
	n := int32(v.Level(level)[0])
	outside := func(x int32) bool { return x < 0 || x >= n }
	switch {
	case outside(at[0]) && outside(at[1]):
		return [3]int32{min(max(at[0], 0), n-1), min(max(at[1], 0), n-1), at[2]}
	case !outside(at[0]) && !outside(at[1]):
		return at
	}
	f := faces[at[2]%6]
	var d [3]float32
	d[f.s] = f.signS * (float32(2*at[0]+1)/float32(n) - 1)
	d[f.t] = f.signT * (float32(2*at[1]+1)/float32(n) - 1)
	d[f.major] = f.signMajor
	number, s, t := facing(d)
	inside := func(x float32) int32 { return min(int32(x*float32(n)), n-1) }
	return [3]int32{inside(s), inside(t), at[2]/6*6 + int32(number)}
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }
