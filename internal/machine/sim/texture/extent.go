package texture

import "math/bits"

// An Extent is the size of a texture. The last size is the depth of a volume, and else the number
// of layers; a cube has six for each element of its array.
type Extent struct {
	Size    [3]uint32 // of mip level 0, in texels
	Volume  bool      // a 3d texture: its depth halves from level to level
	Levels  uint32
	Samples uint32 // of each texel
}

// MostTexels limits a texture. WebGPU's own limits allow more than a test needs.
const MostTexels = 1 << 26

// Level returns the size of a mip level: half of the one before, at least 1.
func (e Extent) Level(level uint32) [3]uint32 {
	size := [3]uint32{max(e.Size[0]>>level, 1), max(e.Size[1]>>level, 1), e.Size[2]}
	if e.Volume {
		size[2] = max(e.Size[2]>>level, 1)
	}
	return size
}

// At returns the number of a texel's sample among all, which are in the order of level, layer or
// depth, row, column and sample. ok is false if there is none.
func (e Extent) At(at [3]uint32, level, sample uint32) (index uint32, ok bool) {
	if level >= e.Levels || sample >= e.Samples {
		return 0, false
	}
	size := e.Level(level)
	if at[0] >= size[0] || at[1] >= size[1] || at[2] >= size[2] {
		return 0, false
	}
	for before := range level {
		index += count(e.Level(before))
	}
	return (index+(at[2]*size[1]+at[1])*size[0]+at[0])*e.Samples + sample, true
}

// Where returns the place of the texel with a number: At's inverse.
func (e Extent) Where(index uint32) (at [3]uint32, level uint32) {
	index /= e.Samples
	for ; level+1 < e.Levels && index >= count(e.Level(level)); level++ {
		index -= count(e.Level(level))
	}
	size := e.Level(level)
	return [3]uint32{index % size[0], index / size[0] % size[1], index / size[0] / size[1]}, level
}

// Texels returns the number of samples of all texels in all levels; more than MostTexels if there
// are too many.
func (e Extent) Texels() uint64 {
	var n uint64
	for level := range e.Levels {
		size := e.Level(level)
		if high, low := bits.Mul64(uint64(size[0])*uint64(size[1]), uint64(size[2])*uint64(e.Samples)); high > 0 || low > MostTexels {
			return MostTexels + 1
		} else {
			n += low
		}
	}
	return n
}

// MostLevels returns how many mip levels a texture of this size can have.
func (e Extent) MostLevels() uint32 {
	most := max(e.Size[0], e.Size[1])
	if e.Volume {
		most = max(most, e.Size[2])
	}
	return uint32(bits.Len32(most))
}

func count(size [3]uint32) uint32 { return size[0] * size[1] * size[2] }
