package anyshader

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var pngStart = []byte("\x89PNG\r\n\x1a\n")

// fitPicture makes a texture of a PNG file, with the format of the shader.
func (b *Argument) fitPicture(as *types.Texture, content []byte) error {
	head, err := png.DecodeConfig(bytes.NewReader(content))
	if err == nil && uint64(head.Width)*uint64(head.Height) > texture.MostTexels {
		err = fmt.Errorf("the picture has more than %d texels", texture.MostTexels)
	}
	if err != nil {
		return err
	}
	picture, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		return err
	}
	b.texture = &textureArgument{format: textureWord, extent: texture.Extent{
		Size: [3]uint32{uint32(head.Width), uint32(head.Height), 1}, Levels: 1, Samples: 1,
	}}
	if err := b.fitTexture(as); err != nil {
		return err
	}
	integer, _ := b.Texture.Format.Integer()
	for i := range int(b.Texture.Texels()) {
		at, _ := b.Texture.Where(uint32(i))
		c := color.NRGBA64Model.Convert(picture.At(picture.Bounds().Min.X+int(at[0]), picture.Bounds().Min.Y+int(at[1]))).(color.NRGBA64)
		var texel texture.Texel
		for channel, value := range []uint16{c.R, c.G, c.B, c.A} {
			if integer {
				texel[channel] = uint32(value >> 8)
			} else {
				texel[channel] = math.Float32bits(float32(value) / 0xffff)
			}
		}
		b.Texture.Format.Encode(texel, b.Data[i*b.Texture.Format.Bytes:])
	}
	return nil
}

// Picture returns a texture's first layer at mip level 0 as a picture: floats from 0 to 1 as they
// are, integers as a share of the largest channel. A single channel is grey.
func (b *Argument) Picture() image.Image {
	t := b.Texture
	picture := image.NewNRGBA(image.Rect(0, 0, int(t.Size[0]), int(t.Size[1])))
	shares := make([][4]float64, int(t.Size[0])*int(t.Size[1]))
	integer, _ := t.Format.Integer()
	largest := 1.0
	for i := range shares {
		shares[i] = b.shares(i)
		if integer {
			largest = max(largest, shares[i][0], shares[i][1], shares[i][2])
		}
	}
	for i, share := range shares {
		for channel := range share {
			by := largest
			if channel == 3 {
				by = 1
			}
			picture.Pix[4*i+channel] = uint8(math.Round(min(max(share[channel]/by, 0), 1) * 255))
		}
	}
	return picture
}

// shares returns the channels of a texel as numbers: a single one as grey, and a missing or whole
// alpha as 1.
func (b *Argument) shares(i int) [4]float64 {
	t := b.Texture
	texel := t.Format.Decode(b.Data[i*int(t.Samples)*t.Format.Bytes:])
	integer, sign := t.Format.Integer()
	share := [4]float64{3: 1}
	for _, channel := range t.Format.Channels() {
		switch {
		case sign && channel < 3:
			share[channel] = float64(int32(texel[channel]))
		case integer && channel < 3:
			share[channel] = float64(texel[channel])
		case !integer:
			share[channel] = float64(math.Float32frombits(texel[channel]))
		}
	}
	if len(t.Format.Channels()) == 1 {
		share[1], share[2] = share[0], share[0]
	}
	return share
}
