package view

import (
	"fmt"
	"html/template"
	"image"
)

// A TextureImage shows the texels of a texture as they are; small ones are enlarged.
type TextureImage struct {
	Title string
	Image image.Image
}

// leastTextureSide is how long the longer side of a small texture's picture is at least, in pixels.
const leastTextureSide = 160

// HTML renders the picture. Browsers scale it: its file has a pixel for each texel.
func (t TextureImage) HTML() template.HTML {
	size := t.Image.Bounds().Size()
	if size.X == 0 || size.Y == 0 {
		return render("heatmap", heatLayout{Title: t.Title, Problem: "no texels"})
	}
	factor := max(1, leastTextureSide/max(size.X, size.Y))
	return render("heatmap", heatLayout{
		Title: t.Title, Picture: pngAddress(t.Image), Alt: fmt.Sprintf("%s: a picture of %d × %d texels", t.Title, size.X, size.Y),
		Width: factor * size.X, Height: factor * size.Y,
	})
}

// Text renders how bright each texel is, as a heat map of whole percents.
func (t TextureImage) Text() string {
	at := t.Image.Bounds()
	h := HeatMap{Title: t.Title, Rows: at.Dy(), Cols: at.Dx()}
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			r, g, b, _ := t.Image.At(x, y).RGBA()
			h.Values = append(h.Values, float32((299*r+587*g+114*b)/10/0xffff))
		}
	}
	return h.Text()
}
