package view

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"math"
)

// pngAddress encodes a picture as a data URL for an <img>.
func pngAddress(picture image.Image) template.URL {
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, picture); err != nil {
		panic(fmt.Sprintf("view: encoding a picture of %v: %v", picture.Bounds(), err))
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(out.Bytes()))
}

// Palettes for colour-blind readers as well: one grows steadily brighter, and one has two hues
// that meet in a pale middle.
var (
	sequential = []color.RGBA{rgb(0x2b0a53), rgb(0x3b4c8c), rgb(0x1f8a8d), rgb(0x59c267), rgb(0xf8e125)}
	diverging  = []color.RGBA{rgb(0x0b4f94), rgb(0x6aa9d6), rgb(0xf4f4f2), rgb(0xe9a05a), rgb(0xa34a00)}
	notNumber  = rgb(0x808080)
)

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// at returns the palette's colour for t from 0 to 1.
func at(palette []color.RGBA, t float64) color.RGBA {
	t = min(1, max(0, t)) * float64(len(palette)-1)
	i := min(int(t), len(palette)-2)
	from, to, part := palette[i], palette[i+1], t-float64(i)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + part*(float64(b)-float64(a)))) }
	return color.RGBA{R: mix(from.R, to.R), G: mix(from.G, to.G), B: mix(from.B, to.B), A: 255}
}

func css(c color.RGBA) template.CSS {
	return template.CSS(fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
}

// inkOn returns black or white, whichever is more legible on c. The contrast of both is equal at a
// luminance of 0.179.
func inkOn(c color.RGBA) template.CSS {
	if luminance(c) > 0.179 {
		return "#000000"
	}
	return "#ffffff"
}

// luminance returns the relative luminance of WCAG 2.1, 0 to 1.
func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
