package view

import (
	"fmt"
	"html/template"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Roofline plots shaders below the roof of a device: how many operations they do for each byte that
// they move, and how many in a second. Both axes are logarithmic. A sloping line is a memory's
// bandwidth, the flat one is the arithmetic; no point can be above its own.
type Roofline struct {
	Title, Source string
	Peak          float64     // operations in a second
	Slopes        []RoofSlope // the first is drawn whole, others dotted
	Points        []RoofPoint // up to five; the first is the learner's
}

// A RoofSlope is a memory.
type RoofSlope struct {
	Name      string
	Bandwidth float64 // bytes in a second
}

// A RoofPoint is a shader.
type RoofPoint struct {
	Name       string
	Operations float64
	Bytes      float64 // that it moves over the slope
	Seconds    float64
	Slope      int // which of the slopes is above it
}

func (p RoofPoint) intensity() float64 { return p.Operations / p.Bytes }
func (p RoofPoint) rate() float64      { return p.Operations / p.Seconds }

// Share returns how much of what its roof allows a point reaches, from 0 to 1.
func (r Roofline) Share(p RoofPoint) float64 { return p.rate() / r.roof(p.Slope, p.intensity()) }

func (r Roofline) roof(slope int, intensity float64) float64 {
	return min(r.Peak, r.Slopes[slope].Bandwidth*intensity)
}

// drawable reports whether every number can be drawn.
func (r Roofline) drawable() bool {
	numbers := []float64{r.Peak}
	for _, s := range r.Slopes {
		numbers = append(numbers, s.Bandwidth)
	}
	for _, p := range r.Points {
		if p.Slope < 0 || p.Slope >= len(r.Slopes) {
			return false
		}
		numbers = append(numbers, p.intensity(), p.rate())
	}
	return len(r.Points) > 0 && len(r.Points) <= len(roofMarks) && !slices.ContainsFunc(numbers, func(v float64) bool {
		return !(v > 0) || math.IsInf(v, 0)
	})
}

// A roofFrame is the part of the plane that is drawn, in powers of ten.
type roofFrame struct{ left, right, bottom, top float64 }

// frame returns whole decades that hold all points and where the slopes meet the arithmetic.
func (r Roofline) frame() roofFrame {
	f := roofFrame{math.Inf(1), math.Inf(-1), math.Inf(1), math.Ceil(math.Log10(r.Peak) + 0.1)}
	for _, s := range r.Slopes {
		ridge := math.Log10(r.Peak / s.Bandwidth)
		f.left, f.right = min(f.left, ridge), max(f.right, ridge)
	}
	for _, p := range r.Points {
		f.left, f.right, f.bottom = min(f.left, math.Log10(p.intensity())), max(f.right, math.Log10(p.intensity())), min(f.bottom, math.Log10(p.rate()))
	}
	f.left, f.right, f.bottom = math.Floor(f.left-0.1), math.Ceil(f.right+0.1), math.Floor(min(f.bottom, f.top-2)-0.1)
	return f
}

// place returns where a point is in the frame: 0 to 1 from the left, and from the top.
func (f roofFrame) place(intensity, rate float64) (x, y float64) {
	return (math.Log10(intensity) - f.left) / (f.right - f.left), (f.top - math.Log10(rate)) / (f.top - f.bottom)
}

// intensity returns the operations for each byte at a place from 0 to 1.
func (f roofFrame) intensity(x float64) float64 { return math.Pow(10, f.left+x*(f.right-f.left)) }

// A roofMark is the sign of a point. Shape and colour both tell points apart; the colours are
// readable on light and dark pages.
type roofMark struct {
	letter rune
	sign   string
	color  color.RGBA
	inside func(x, y float64) bool // of a shape in a square from -1 to 1
}

var roofMarks = []roofMark{
	{'Y', "●", rgb(0x2a7ac4), func(x, y float64) bool { return x*x+y*y <= 1 }},
	{'R', "■", rgb(0xc9520a), func(x, y float64) bool { return math.Abs(x) <= 0.8 && math.Abs(y) <= 0.8 }},
	{'L', "▲", rgb(0x008665), func(x, y float64) bool { return y <= 0.9 && y >= 2.2*math.Abs(x)-1 }},
	{'D', "◆", rgb(0x9a5bd0), func(x, y float64) bool { return math.Abs(x)+math.Abs(y) <= 1.1 }},
	{'V', "▼", rgb(0x8a7400), func(x, y float64) bool { return y >= -0.9 && y <= 1-2.2*math.Abs(x) }},
}

var roofInk = rgb(0x777c84)

// Size of the picture in CSS pixels: it fits into a page of 360.
const roofWidth, roofHeight = 300, 170

// legend describes each point: its sign, its name and its numbers. One with the numbers of an
// earlier point says so.
func (r Roofline) legend() (lines [][3]string) {
	for i, p := range r.Points {
		says := fmt.Sprintf("%s operations a byte, %s a second: %.0f %% of what %s allows",
			thousands(p.intensity()), thousands(p.rate()), 100*r.Share(p), r.limit(p))
		for j, before := range lines {
			if before[2] == says {
				says = "the same as " + r.Points[j].Name
				break
			}
		}
		lines = append(lines, [3]string{roofMarks[i].sign, p.Name, says})
	}
	return lines
}

// limit names the part of the roof above a point.
func (r Roofline) limit(p RoofPoint) string {
	if r.roof(p.Slope, p.intensity()) == r.Peak {
		return "the arithmetic"
	}
	return r.Slopes[p.Slope].Name
}

// thousands formats a number with three digits and a unit of its size.
func thousands(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if v >= unit.size {
			return fmt.Sprintf("%.3g%s", v/unit.size, unit.name)
		}
	}
	if v >= 10 {
		return fmt.Sprintf("%.3g", v)
	}
	return fmt.Sprintf("%.2g", v)
}

// slopes names the lines.
func (r Roofline) slopes() string {
	var said []string
	for i, s := range r.Slopes {
		line := "slope"
		if i > 0 {
			line = "dotted"
		}
		said = append(said, fmt.Sprintf("%s: %s, %sB/s", line, s.Name, spaced(s.Bandwidth)))
	}
	return strings.Join(append(said, "flat: arithmetic, "+thousands(r.Peak)+" operations a second"), "; ")
}

func spaced(v float64) string {
	text := thousands(v)
	if !strings.Contains(text, " ") {
		text += " "
	}
	return text
}

// HTML renders the picture with its legend.
func (r Roofline) HTML() template.HTML {
	type line struct {
		Color            template.CSS
		Sign, Name, Says string
	}
	data := struct {
		Roofline
		Problem, Alt, Left, Right, Lines string
		Picture                          template.URL
		Width, Height                    int
		Legend                           []line
	}{Roofline: r, Width: roofWidth, Height: roofHeight}
	if !r.drawable() {
		data.Problem = "nothing to draw"
		return render("roofline", data)
	}
	f := r.frame()
	data.Picture, data.Lines = pngAddress(r.picture()), r.slopes()
	data.Left, data.Right = thousands(math.Pow(10, f.left)), thousands(math.Pow(10, f.right))
	var alt []string
	for i, l := range r.legend() {
		data.Legend = append(data.Legend, line{css(roofMarks[i].color), l[0], l[1], l[2]})
		alt = append(alt, l[1]+": "+l[2])
	}
	data.Alt = strings.Join(alt, "; ")
	return render("roofline", data)
}

// picture draws the lines and the points, two image pixels in a CSS pixel.
func (r Roofline) picture() image.Image {
	const density, margin = 2, 12
	w, h := roofWidth*density, roofHeight*density
	picture := image.NewNRGBA(image.Rect(0, 0, w, h))
	f := r.frame()
	dot := func(x, y, radius float64, c color.RGBA, inside func(x, y float64) bool) {
		for py := int(y - radius); py <= int(y+radius)+1; py++ {
			for px := int(x - radius); px <= int(x+radius)+1; px++ {
				if inside((float64(px)-x)/radius, (float64(py)-y)/radius) {
					picture.Set(px, py, c)
				}
			}
		}
	}
	at := func(intensity, rate float64) (x, y float64) {
		x, y = f.place(intensity, rate)
		return margin + x*float64(w-2*margin), margin + y*float64(h-2*margin)
	}
	for decade := f.left; decade <= f.right; decade++ {
		x, _ := at(math.Pow(10, decade), r.Peak)
		for y := range h {
			picture.Set(int(x), y, color.NRGBA{0x80, 0x80, 0x80, 0x40})
		}
	}
	for slope := range slices.Backward(r.Slopes) {
		for i := range 2 * w {
			if slope > 0 && i/16%2 == 1 {
				continue // dotted
			}
			intensity := f.intensity(float64(i) / float64(2*w))
			x, y := at(intensity, r.roof(slope, intensity))
			if y <= float64(h) {
				dot(x, y, 2, roofInk, roofMarks[0].inside)
			}
		}
	}
	for i, p := range slices.Backward(r.Points) {
		x, y := at(p.intensity(), p.rate())
		radius := 11.0
		for _, above := range r.Points[:i] { // a point below another one is larger, so that both show
			if ax, ay := at(above.intensity(), above.rate()); math.Hypot(x-ax, y-ay) < radius {
				radius += 6
			}
		}
		dot(x, y, radius, roofMarks[i].color, roofMarks[i].inside)
	}
	return picture
}

// Text renders the same with characters.
func (r Roofline) Text() string {
	lines := titled(r.Title, r.Source)
	if !r.drawable() {
		return strings.Join(append(lines, "  nothing to draw"), "\n")
	}
	const columns, rows = 56, 13
	var plot [rows][]rune
	for i := range plot {
		plot[i] = []rune(strings.Repeat(" ", columns))
	}
	f := r.frame()
	cell := func(intensity, rate float64) (row, column int, ok bool) {
		x, y := f.place(intensity, rate)
		row = int(math.Round(y * (rows - 1)))
		return row, min(columns-1, max(0, int(math.Round(x*(columns-1))))), row >= 0 && row < rows
	}
	set := func(intensity, rate float64, c rune) {
		if row, column, ok := cell(intensity, rate); ok {
			plot[row][column] = c
		}
	}
	for slope := range slices.Backward(r.Slopes) {
		for i := range columns {
			intensity := f.intensity(float64(i) / (columns - 1))
			c := '─'
			if r.roof(slope, intensity) < r.Peak {
				c = map[bool]rune{true: '/', false: '.'}[slope == 0]
			}
			set(intensity, r.roof(slope, intensity), c)
		}
	}
	for i, p := range r.Points {
		row, column, ok := cell(p.intensity(), p.rate())
		for ok && column < columns-1 && unicode.IsLetter(plot[row][column]) {
			column++ // beside the point that is there
		}
		if ok {
			plot[row][column] = roofMarks[i].letter
		}
	}
	for _, row := range plot {
		lines = append(lines, strings.TrimRight("  │"+string(row), " "))
	}
	lines = append(lines, "  └"+strings.Repeat("─", columns))
	left, right := thousands(math.Pow(10, f.left)), thousands(math.Pow(10, f.right))
	lines = append(lines, "   "+left+strings.Repeat(" ", max(1, columns-len(left)-len(right)))+right, "   up: operations a second; to the right: operations a byte")
	lines = append(lines, "   "+r.slopes())
	width := 0
	for _, p := range r.Points {
		width = max(width, len(p.Name))
	}
	for i, l := range r.legend() {
		lines = append(lines, fmt.Sprintf("   %c %s  %s", roofMarks[i].letter, padRight(l[1], width), l[2]))
	}
	return strings.Join(lines, "\n")
}
