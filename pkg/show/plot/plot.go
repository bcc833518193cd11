// Package plot draws line plots for notebook cells. It is separate from package show because the
// plotting library makes a cell's program larger: only cells that draw a plot link it.
package plot

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/view/mark"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/wgslab/wgslab/pkg/show"
)

// Lines is a view of one or more lines over the same points. It has no background, and its colours
// are readable on light and dark pages.
type Lines struct {
	Title  string
	X, Y   string      // the labels of the axes, with the unit
	At     []float32   // the x coordinate of each point
	Names  []string    // the name of each line
	Values [][]float32 // the values of each line, one per point; a value that is not finite leaves a gap
}

// series is one line.
type series struct {
	name   string
	values []float32
}

func (l Lines) series() []series {
	all := make([]series, len(l.Values))
	for i, values := range l.Values {
		all[i].values = values
		if i < len(l.Names) {
			all[i].name = l.Names[i]
		}
	}
	return all
}

const (
	maxMarked = 10 // up to this many points each get a mark and a tick on the x axis
	maxListed = 16 // maximum rows of the text
)

const (
	width, height = 640, 300 // CSS pixels
	legendWidth   = 150      // of the width
	density       = 2        // image pixels in a CSS pixel
)

var (
	ink  = color.RGBA{0x77, 0x7c, 0x84, 0xff} // at least 3.9 : 1 on white and on the dark themes
	rule = color.RGBA{0x26, 0x26, 0x26, 0x4c} // grey, 30 % of it

	// Colours, marks and dashes distinguish the lines. Colour-blind readers can tell the
	// colours apart as well.
	colors = []color.RGBA{{0x2a, 0x7a, 0xc4, 0xff}, {0xc9, 0x52, 0x0a, 0xff}, {0x00, 0x86, 0x65, 0xff}, {0x9c, 0x60, 0xb2, 0xff}}
	marks  = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{}}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 3}, {8, 3, 2, 3}}
)

var markup = template.Must(template.New("plot").Parse(`<div class="wgslab-plot" style="margin:4px 0 10px 0">
{{with .Title}}<div style="margin:0 0 6px 0"><strong>{{.}}</strong></div>{{end}}
{{if .Problem}}<div style="opacity:0.75">{{.Problem}}</div>{{else}}<img src="{{.Picture}}" alt="{{.Alt}}" width="{{.Width}}" height="{{.Height}}" style="display:block;margin:0;max-width:none">{{end}}</div>`))

// HTML renders the plot as a picture. Its alternative text holds the numbers.
func (l Lines) HTML() template.HTML {
	data := struct {
		Title, Problem, Alt string
		Picture             template.URL
		Width, Height       int
	}{Title: l.Title, Problem: l.problem(), Width: width, Height: height}
	if data.Problem == "" {
		data.Picture = template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(l.PNG()))
		data.Alt = l.Text()
	}
	return mark.Fill(markup, data)
}

// Text renders the numbers as a table with a row for each point. If there are many points, it shows
// some at even distances.
func (l Lines) Text() string {
	if problem := l.problem(); problem != "" {
		return strings.TrimPrefix(l.Title+"\n"+problem, "\n")
	}
	table := show.Table{Caption: l.Title, Headers: []string{l.X}}
	for _, one := range l.series() {
		table.Headers = append(table.Headers, one.name)
	}
	for i := 0; i < len(l.At); i += 1 + (len(l.At)-1)/maxListed {
		row := []any{l.At[i]}
		for _, one := range l.series() {
			row = append(row, one.values[i])
		}
		table.Rows = append(table.Rows, row)
	}
	return table.Text()
}

func (l Lines) problem() string {
	for _, one := range l.series() {
		if len(one.values) != len(l.At) {
			return fmt.Sprintf("%s has %d values for %d points", one.name, len(one.values), len(l.At))
		}
	}
	if len(l.At) == 0 || len(l.Values) == 0 {
		return "empty"
	}
	return ""
}

// PNG renders the picture alone, for a file.
func (l Lines) PNG() []byte {
	p, legend := l.axes(), l.legend()
	for i, one := range l.series() {
		legend.Add(one.name, l.add(p, one, i)...)
	}
	canvas := vgimg.NewWith(vgimg.UseWH(inches(width), inches(height)), vgimg.UseDPI(96*density), vgimg.UseBackgroundColor(color.Transparent))
	whole := draw.New(canvas)
	p.Draw(draw.Crop(whole, inches(10), -inches(legendWidth), inches(8), -inches(12)))
	legend.Draw(draw.Crop(whole, inches(width-legendWidth+14), -inches(6), inches(8), -inches(12)))
	var out bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(&out); err != nil {
		panic(fmt.Sprintf("plot: encoding a picture: %v", err))
	}
	return out.Bytes()
}

// inches converts CSS pixels, 96 to the inch, to the library's lengths.
func inches(pixels int) vg.Length { return vg.Length(pixels) * vg.Inch / 96 }

func (l Lines) axes() *plot.Plot {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	p := plot.New()
	p.BackgroundColor = color.Transparent
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = ink, ink
		style(&axis.Label.TextStyle, 10)
		style(&axis.Tick.Label, 9)
	}
	p.X.Label.Text, p.Y.Label.Text = l.X, l.Y
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks{}, roundTicks{}
	if len(l.At) <= maxMarked && l.roundPlaces() {
		p.X.Tick.Marker = ticksAt(l.At)
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = rule, rule
	p.Add(grid)
	if l.least() >= 0 {
		p.Y.Min = 0
	}
	if least, most := slices.Min(l.At), slices.Max(l.At); least > 0 && least <= most/4 || len(l.At) == 1 && least > 0 {
		p.X.Min = 0
	}
	return p
}

// roundPlaces reports whether the points are at numbers that read well below an axis: of three
// digits, as 0.25 or 512, and not as 0.0555556.
func (l Lines) roundPlaces() bool {
	return !slices.ContainsFunc(l.At, func(v float32) bool {
		return strconv.FormatFloat(float64(v), 'g', 3, 32) != strconv.FormatFloat(float64(v), 'g', -1, 32) && v != float32(math.Trunc(float64(v)))
	})
}

// legend places the legend beside the lines, where it covers none of them.
func (l Lines) legend() plot.Legend {
	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.ThumbnailWidth, legend.Padding = inches(30), inches(5)
	style(&legend.TextStyle, 9)
	return legend
}

// roundTicks makes at most eight ticks at round numbers.
type roundTicks struct{}

// Ticks implements the library's plot.Ticker.
func (roundTicks) Ticks(low, high float64) []plot.Tick {
	step := roundStep((high - low) / 8)
	var at []float32
	for i := int(math.Ceil(low / step)); float64(i)*step <= high; i++ {
		at = append(at, float32(float64(i)*step))
	}
	return ticksAt(at)
}

// roundStep returns the smallest of 1, 2 and 5 times a power of ten that is at least least.
func roundStep(least float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= least {
			return factor * power
		}
	}
	return 10 * power
}

func ticksAt(at []float32) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, v := range at {
		ticks = append(ticks, plot.Tick{Value: float64(v), Label: strconv.FormatFloat(float64(v), 'g', 6, 64)})
	}
	return ticks
}

func style(s *text.Style, size vg.Length) { s.Color, s.Font.Size = ink, size }

func (l Lines) least() float64 {
	least := math.Inf(1)
	for _, one := range l.series() {
		for _, value := range one.values {
			if v := float64(value); finite(v) {
				least = min(least, v)
			}
		}
	}
	return least
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// add adds the stretches of finite values of a series, and returns its symbol for the legend.
func (l Lines) add(p *plot.Plot, one series, i int) []plot.Thumbnailer {
	var thumbs []plot.Thumbnailer
	for _, stretch := range l.stretches(one) {
		line, points, err := plotter.NewLinePoints(stretch)
		if err != nil {
			panic(fmt.Sprintf("plot: %s: %v", one.name, err)) // each stretch is finite and not empty
		}
		line.Color, line.Width, line.Dashes = colors[i%len(colors)], 2, dashes[i%len(dashes)]
		points.Color, points.Radius, points.Shape = line.Color, 4, marks[i%len(marks)]
		p.Add(line)
		thumbs = []plot.Thumbnailer{line}
		if len(l.At) <= maxMarked {
			p.Add(points)
			thumbs = append(thumbs, points)
		}
	}
	return thumbs
}

func (l Lines) stretches(one series) []plotter.XYs {
	var all []plotter.XYs
	broken := true
	for i, value := range one.values {
		v := float64(value)
		if !finite(v) {
			broken = true
			continue
		}
		if broken {
			all, broken = append(all, nil), false
		}
		all[len(all)-1] = append(all[len(all)-1], plotter.XY{X: float64(l.At[i]), Y: v})
	}
	return all
}
