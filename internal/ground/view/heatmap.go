package view

import (
	"cmp"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
)

// Up to this size a heat map is a table of numbers, and above it a picture.
const (
	maxNumberCols  = 16
	maxRoomyCols   = 12 // more columns get narrow cells
	maxPlainCols   = 40 // of a heat map without numbers
	maxNumberCells = 256
	maxPictureSide = 512 // pixels; larger matrices are averaged down to fit
)

// HeatMap shows a matrix in colours: blue to orange around zero if its values have both signs,
// otherwise dark to bright. Small ones also show their numbers. NaNs are grey.
type HeatMap struct {
	Title      string
	Source     string    // where the values come from, in small letters beside the title; may be ""
	Values     []float32 // Rows·Cols, row by row
	Rows, Cols int
	RowLabels  []string // optional; by default 0, 1, 2, …
	ColLabels  []string

	// Absent marks places without a value; optional. Their Values are NaN, and stay empty.
	Absent []bool

	// Plain leaves out the numbers, so that many columns with labels fit beside each other.
	Plain bool
}

type heatCell struct {
	Text, Title     string
	Background, Ink template.CSS
}

type heatRow struct {
	Label string
	Cells []heatCell
}

type heatLayout struct {
	Title, Source, Problem string
	ColLabels              []string
	Padding                template.CSS
	Narrowest              int // pixels, of a cell
	Rows                   []heatRow
	Picture                template.URL
	Alt                    string
	Width, Height          int
	Legend                 template.URL
	Low, High              string
	Remarks                []string
}

// HTML renders the heat map as a table of numbers or, if it is large, as a picture.
func (h HeatMap) HTML() template.HTML { return render("heatmap", h.layout()) }

// Text renders a small heat map as numbers, and a large one in five shades.
func (h HeatMap) Text() string {
	if problem := h.problem(); problem != "" {
		return strings.Join(append(titled(h.Title, h.Source), problem), "\n")
	}
	if h.small() && !h.Plain {
		return h.numbers()
	}
	return h.shades()
}

func (h HeatMap) problem() string {
	switch {
	case h.Rows < 0 || h.Cols < 0 || len(h.Values) != h.Rows*h.Cols:
		return fmt.Sprintf("%s values do not fill %d×%d", english.Thousands(len(h.Values)), h.Rows, h.Cols)
	case len(h.Values) == 0:
		return "empty"
	}
	return ""
}

func (h HeatMap) small() bool {
	if h.Plain {
		return h.Cols <= maxPlainCols && h.Rows <= maxPlainCols
	}
	return h.Cols <= maxNumberCols && len(h.Values) <= maxNumberCells
}

// scale maps values to colours.
type scale struct {
	low, high float64
	palette   []color.RGBA
	strange   int // number of NaN and infinite values
}

func newScale(values []float32) scale {
	s := scale{low: math.Inf(1), high: math.Inf(-1), palette: sequential}
	for _, value := range values {
		v := float64(value)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			s.strange++
			continue
		}
		s.low, s.high = min(s.low, v), max(s.high, v)
	}
	if s.low > s.high {
		s.low, s.high = 0, 0
	}
	if s.low < 0 && s.high > 0 {
		s.high = max(s.high, -s.low)
		s.low, s.palette = -s.high, diverging
	}
	return s
}

// scale returns the scale of the values that are there.
func (h HeatMap) scale() scale {
	s := newScale(h.Values)
	for _, absent := range h.Absent {
		if absent {
			s.strange--
		}
	}
	return s
}

func (h HeatMap) absent(i int) bool { return i < len(h.Absent) && h.Absent[i] }

// place returns the position of v between low (0) and high (1); it is 0.5 if all values are equal.
func (s scale) place(v float32) float64 {
	if s.high == s.low {
		return 0.5
	}
	return min(1, max(0, (float64(v)-s.low)/(s.high-s.low)))
}

func (s scale) color(v float32) color.RGBA {
	if v != v {
		return notNumber
	}
	return at(s.palette, s.place(v))
}

func (h HeatMap) layout() heatLayout {
	layout := heatLayout{Title: h.Title, Source: h.Source, Problem: h.problem()}
	if layout.Problem != "" {
		return layout
	}
	s := h.scale()
	layout.Low, layout.High = short(float32(s.low)), short(float32(s.high))
	switch {
	case s.low < s.high:
		layout.Legend = legend(s)
	case s.strange == 0:
		layout.Remarks = append(layout.Remarks, "every value is "+layout.Low)
	}
	if s.strange > 0 {
		layout.Remarks = append(layout.Remarks, fmt.Sprintf("%s not finite; NaN is grey", english.Thousands(s.strange)))
	}
	if h.small() {
		layout.ColLabels = labels(h.ColLabels, h.Cols)
		layout.Padding, layout.Narrowest = "5px 7px", 26
		if h.Cols > maxRoomyCols {
			layout.Padding = "5px 3px"
		}
		if h.Plain {
			layout.Padding, layout.Narrowest = "0", 10
		}
		layout.Rows = h.cells(s)
		return layout
	}
	factor := max(1, (max(h.Rows, h.Cols)+maxPictureSide-1)/maxPictureSide)
	reduced := h.reduce(factor, factor)
	if factor > 1 {
		layout.Remarks = append(layout.Remarks, fmt.Sprintf("each pixel is the mean of %d×%d values", factor, factor))
	}
	pixel := max(1, maxPictureSide/max(reduced.Rows, reduced.Cols))
	pixel = min(pixel, 16)
	layout.Picture = pngAddress(reduced.picture(s, pixel))
	layout.Width, layout.Height = reduced.Cols*pixel, reduced.Rows*pixel
	layout.Alt = h.summary()
	return layout
}

func (h HeatMap) cells(s scale) []heatRow {
	rowLabels, colLabels := labels(h.RowLabels, h.Rows), labels(h.ColLabels, h.Cols)
	rows := make([]heatRow, h.Rows)
	for r := range rows {
		rows[r].Label = rowLabels[r]
		for c := range h.Cols {
			if h.absent(r*h.Cols + c) {
				rows[r].Cells = append(rows[r].Cells, heatCell{Background: "transparent"})
				continue
			}
			v := h.Values[r*h.Cols+c]
			background := s.color(v)
			text := short(v)
			if h.Plain {
				text = ""
			}
			rows[r].Cells = append(rows[r].Cells, heatCell{
				Text:       text,
				Title:      fmt.Sprintf("row %s, column %s: %s", rowLabels[r], colLabels[c], valueText(v)),
				Background: css(background),
				Ink:        inkOn(background),
			})
		}
	}
	return rows
}

// reduce averages blocks of tall×wide values that are there; a NaN among them makes its block NaN.
func (h HeatMap) reduce(tall, wide int) HeatMap {
	out := h
	out.Rows, out.Cols = (h.Rows+tall-1)/tall, (h.Cols+wide-1)/wide
	out.Values, out.Absent = make([]float32, out.Rows*out.Cols), make([]bool, out.Rows*out.Cols)
	for r := range out.Rows {
		for c := range out.Cols {
			i := r*out.Cols + c
			out.Values[i], out.Absent[i] = h.mean(r*tall, c*wide, tall, wide)
		}
	}
	return out
}

// mean returns the mean of a block's values. If all of them are absent, so is the mean.
func (h HeatMap) mean(row, col, tall, wide int) (mean float32, absent bool) {
	sum, count := 0.0, 0
	for r := row; r < min(row+tall, h.Rows); r++ {
		for c := col; c < min(col+wide, h.Cols); c++ {
			if h.absent(r*h.Cols + c) {
				continue
			}
			sum += float64(h.Values[r*h.Cols+c])
			count++
		}
	}
	return float32(sum / float64(count)), count == 0
}

func (h HeatMap) picture(s scale, pixel int) image.Image {
	picture := image.NewPaletted(image.Rect(0, 0, h.Cols*pixel, h.Rows*pixel), paletteOf(s.palette))
	for y := range h.Rows * pixel {
		for x := range h.Cols * pixel {
			v := h.Values[y/pixel*h.Cols+x/pixel]
			index := uint8(0)
			if v == v {
				index = uint8(1 + math.Round(254*s.place(v)))
			}
			picture.SetColorIndex(x, y, index)
		}
	}
	return picture
}

// paletteOf returns a palette of grey for NaN, then 255 steps from low to high.
func paletteOf(colors []color.RGBA) color.Palette {
	palette := color.Palette{notNumber}
	for i := range 255 {
		palette = append(palette, at(colors, float64(i)/254))
	}
	return palette
}

func legend(s scale) template.URL {
	const width, height = 128, 10
	strip := image.NewPaletted(image.Rect(0, 0, width, height), paletteOf(s.palette))
	for i := range strip.Pix {
		strip.Pix[i] = uint8(1 + i%width*254/(width-1))
	}
	return pngAddress(strip)
}

func (h HeatMap) summary() string {
	lowest, highest := -1, -1
	for i, v := range h.Values {
		if v != v {
			continue
		}
		if lowest < 0 || v < h.Values[lowest] {
			lowest = i
		}
		if highest < 0 || v > h.Values[highest] {
			highest = i
		}
	}
	words := fmt.Sprintf("%d×%d", h.Rows, h.Cols)
	if lowest >= 0 {
		words += fmt.Sprintf(", smallest %s at (%d, %d), largest %s at (%d, %d)",
			valueText(h.Values[lowest]), lowest/h.Cols, lowest%h.Cols,
			valueText(h.Values[highest]), highest/h.Cols, highest%h.Cols)
	}
	if strange := h.scale().strange; strange > 0 {
		words += fmt.Sprintf(", %s not finite", english.Thousands(strange))
	}
	return words
}

func (h HeatMap) numbers() string {
	table := Table{Caption: h.Title, Source: h.Source, Headers: append([]string{""}, labels(h.ColLabels, h.Cols)...)}
	rowLabels := labels(h.RowLabels, h.Rows)
	for r := range h.Rows {
		row := []any{rowLabels[r]}
		for c := range h.Cols {
			text := ""
			if i := r*h.Cols + c; !h.absent(i) {
				text = short(h.Values[i])
			}
			row = append(row, text)
		}
		table.Rows = append(table.Rows, row)
	}
	return table.Text()
}

func (h HeatMap) shades() string {
	const high, across = 16, 48
	shades := []rune(" ░▒▓█")
	s := newScale(h.Values)
	reduced := h.reduce((h.Rows+high-1)/high, (h.Cols+across-1)/across)
	lines := append(titled(h.Title, h.Source), h.summary())
	for r := range reduced.Rows {
		line := make([]rune, reduced.Cols)
		for c := range line {
			i := r*reduced.Cols + c
			line[c] = '?'
			if reduced.absent(i) {
				line[c] = '·'
			} else if v := reduced.Values[i]; v == v {
				line[c] = shades[int(s.place(v)*float64(len(shades)-1)+0.5)]
			}
		}
		lines = append(lines, "|"+string(line)+"|")
	}
	return strings.Join(lines, "\n")
}

// short formats a value for a cell, with three significant digits, and all integer digits unless
// the number is huge.
func short(v float32) string {
	if size := math.Abs(float64(v)); size >= 1000 && size < 1e6 {
		return strconv.FormatFloat(float64(v), 'f', 0, 32)
	}
	return strconv.FormatFloat(float64(v), 'g', 3, 32)
}

// labels fills in missing labels with their numbers.
func labels(given []string, n int) []string {
	all := make([]string, n)
	for i := range all {
		if i < len(given) {
			all[i] = given[i]
		}
		all[i] = cmp.Or(all[i], strconv.Itoa(i))
	}
	return all
}
