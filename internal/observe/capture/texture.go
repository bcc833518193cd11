package capture

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A texels holds a texture, level by level, without padding.
type texels struct {
	format *texture.Format
	extent texture.Extent
	levels [][]byte
	known  []bool // whether the capture has the level
}

// A view is a part of a texture, as a shader sees it.
type view struct {
	texture     id
	whole       texture.Extent
	base, layer uint32
	bound       sim.BoundTexture
}

// textureDescriptor is what a page gave to createTexture.
type textureDescriptor struct {
	Size                       json.RawMessage
	Format, Dimension          string
	MipLevelCount, SampleCount *uint32
}

// extent reads a GPUExtent3D: a list, or an object.
func (d *textureDescriptor) extent() (e texture.Extent, err error) {
	e = texture.Extent{Size: [3]uint32{1, 1, 1}, Volume: d.Dimension == "3d", Levels: 1, Samples: 1}
	var object struct{ Width, Height, DepthOrArrayLayers *uint32 }
	var list []uint32
	if json.Unmarshal(d.Size, &list) == nil {
		copy(e.Size[:], list)
	} else if decode(d.Size, &object) == nil {
		for axis, n := range []*uint32{object.Width, object.Height, object.DepthOrArrayLayers} {
			if n != nil {
				e.Size[axis] = *n
			}
		}
	}
	if d.MipLevelCount != nil {
		e.Levels = max(*d.MipLevelCount, 1)
	}
	switch {
	case e.Size[0] == 0 || e.Size[1] == 0 || e.Size[2] == 0 || e.Levels > e.MostLevels():
		return e, errors.New("the capture doesn't have the texture's size")
	case e.Texels() > texture.MostTexels:
		return e, fmt.Errorf("the texture has more than %d texels", texture.MostTexels)
	case d.SampleCount != nil && *d.SampleCount > 1:
		return e, errors.New("a multisampled texture isn't in a capture")
	}
	return e, nil
}

// formatOf returns the format in which the capture has a texture. The recorder reads the depth of
// every depth format as 32-bit floats.
func formatOf(name string) (*texture.Format, error) {
	if strings.HasPrefix(name, "depth") {
		name = "depth32float"
	}
	if f := texture.FormatNamed(name); f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("the simulator has no texture format %q", name)
}

// view returns what a shader sees of a texture through a view.
func (c *Capture) view(of id, as *types.Texture) (v view, err error) {
	o := c.objects[of]
	if o == nil {
		return v, errors.New("the capture doesn't have its texture; textures from outside of WebGPU, such as videos, are never in one")
	}
	var d struct {
		Format, Dimension                                            string
		BaseMipLevel, MipLevelCount, BaseArrayLayer, ArrayLayerCount *uint32
	}
	v.texture = of
	if o.Type == "TextureView" {
		_ = decode(o.Descriptor, &d)
		v.texture = o.Texture.ID
	}
	var t textureDescriptor
	if o = c.objects[v.texture]; o == nil || decode(o.Descriptor, &t) != nil {
		return v, errors.New("the capture doesn't have its texture")
	}
	if v.whole, err = t.extent(); err != nil {
		return v, err
	}
	stored, err := formatOf(t.Format)
	if err != nil {
		return v, err
	}
	v.bound.Format = stored
	if d.Format != "" {
		if v.bound.Format, err = formatOf(d.Format); err != nil {
			return v, err
		}
	}
	v.bound.Extent = v.whole
	size := &v.bound.Size
	take := func(base, count *uint32, all uint32) (from, n uint32, ok bool) {
		if base != nil {
			from = *base
		}
		if from >= all {
			return 0, 0, false
		}
		n = all - from
		if count != nil {
			n = *count
		}
		return from, n, n > 0 && n <= all-from
	}
	var levels, layers bool
	v.base, v.bound.Levels, levels = take(d.BaseMipLevel, d.MipLevelCount, v.whole.Levels)
	*size = v.whole.Level(v.base)
	layers = true
	if !v.whole.Volume {
		if as.Dim == "2d" && d.ArrayLayerCount == nil && d.Dimension != "2d-array" {
			one := uint32(1)
			d.ArrayLayerCount = &one
		}
		v.layer, size[2], layers = take(d.BaseArrayLayer, d.ArrayLayerCount, v.whole.Size[2])
	}
	if !levels || !layers || v.bound.Format.Bytes != stored.Bytes {
		return v, errors.New("the capture's view doesn't fit its texture")
	}
	return v, nil
}

// filter returns a sampler.
func (c *Capture) filter(of id) (*texture.Filter, error) {
	o := c.objects[of]
	if o == nil {
		return nil, errors.New("the capture doesn't have its sampler")
	}
	var d struct {
		AddressModeU, AddressModeV, AddressModeW, MagFilter, MinFilter, MipmapFilter, Compare string
		LodMinClamp, LodMaxClamp                                                              *float32
	}
	_ = decode(o.Descriptor, &d)
	modes := map[string]texture.AddressMode{"": texture.ClampToEdge, "clamp-to-edge": texture.ClampToEdge, "repeat": texture.Repeat, "mirror-repeat": texture.MirrorRepeat}
	f := &texture.Filter{
		Magnify: d.MagFilter == "linear", Minify: d.MinFilter == "linear", Mip: d.MipmapFilter == "linear",
		Address:  [3]texture.AddressMode{modes[d.AddressModeU], modes[d.AddressModeV], modes[d.AddressModeW]},
		MaxLevel: 32, Compare: texture.Compares[d.Compare],
	}
	if d.LodMinClamp != nil {
		f.MinLevel = *d.LodMinClamp
	}
	if d.LodMaxClamp != nil {
		f.MaxLevel = *d.LodMaxClamp
	}
	return f, nil
}

// texels reads what the capture has of a texture. The recorder pads rows to 256 bytes.
func (c *Capture) texels(of id, extent texture.Extent, format *texture.Format) (*texels, error) {
	t := &texels{format: format, extent: extent, levels: make([][]byte, extent.Levels), known: make([]bool, extent.Levels)}
	for level := range t.levels {
		size := extent.Level(uint32(level))
		t.levels[level] = make([]byte, uint64(size[0])*uint64(size[1])*uint64(size[2])*uint64(format.Bytes))
	}
	for _, mip := range c.objects[of].MipData {
		p, ok := c.resolve(mip)
		if !ok || mip.MipLevel >= extent.Levels {
			continue
		}
		size := extent.Level(mip.MipLevel)
		row := uint64(size[0]) * uint64(format.Bytes)
		pitch := (row + 255) / 256 * 256
		rows := uint64(size[1]) * uint64(size[2])
		t.known[mip.MipLevel] = p.size() >= pitch*(rows-1)+row
		for y := range min(rows, (p.size()+pitch-row)/pitch) {
			if err := c.readPayload(p, y*pitch, t.levels[mip.MipLevel][y*row:(y+1)*row]); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// part returns the bytes of a view's layers in a level of it.
func (t *texels) part(v view, level uint32) []byte {
	all := t.levels[v.base+level]
	if v.whole.Volume {
		return all
	}
	layer := len(all) / int(v.whole.Size[2])
	return all[int(v.layer)*layer : int(v.layer+v.bound.Size[2])*layer]
}
