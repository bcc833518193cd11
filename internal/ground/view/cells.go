package view

import (
	"fmt"
	"html/template"
	"image"
	"image/color"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/ground/english"
)

// Cells shows maps of small squares, one per element, invocation or bank. Each square belongs to
// one of a few classes: fetched or not, working or waiting.
type Cells struct {
	Title   string
	Classes []Class
	Maps    []CellMap // side by side if there is room
	Remark  string
}

// A Class is a kind of square.
type Class struct {
	Name  string     // the name in the legend
	Sign  rune       // in text
	Color color.RGBA // transparent for a square that shows only its edge
}

// A CellMap is a map of rows of squares.
type CellMap struct {
	Title   string
	Columns int // squares side by side; a longer row wraps
	Rows    []CellRow
}

// A CellRow is a group of squares with a label.
type CellRow struct {
	Label string
	Cells []int // each an index of Classes
	Note  string
}

// Colours for classes, which colour-blind readers can tell apart on light and dark pages. The
// palette is Okabe and Ito's.
var (
	Hollow = color.RGBA{}
	Faint  = color.RGBA{R: 0x26, G: 0x26, B: 0x26, A: 0x4c} // grey, 30 % of it
	Grey   = color.RGBA{R: 0x53, G: 0x53, B: 0x53, A: 0xa6} // grey, 65 % of it
	Blue   = rgb(0x0072b2)
	Orange = rgb(0xe69f00)
	Purple = rgb(0xcc79a7)
)

// Bright returns a colour that grows brighter with t from 0 to 1, for ordered classes.
func Bright(t float64) color.RGBA { return at(sequential, 0.15+0.85*t) }

type cellRowLayout struct {
	Label, Note, Alt string
	Picture          template.URL
	Width, Height    int
}

type cellMapLayout struct {
	Title    string
	Labelled bool
	Rows     []cellRowLayout
}

type classLayout struct {
	Name  string
	Color template.CSS // "" for a square that shows only its edge
}

// HTML renders the maps as pictures, with the legend below them.
func (c Cells) HTML() template.HTML {
	layout := struct {
		Title, Remark string
		Maps          []cellMapLayout
		Legend        []classLayout
	}{Title: c.Title, Remark: c.Remark}
	c = c.bounded()
	for _, m := range c.Maps {
		layout.Maps = append(layout.Maps, c.layout(m))
	}
	for i, class := range c.Classes {
		if c.has(i) {
			layout.Legend = append(layout.Legend, classLayout{class.Name, class.css()})
		}
	}
	return render("cells", layout)
}

func (c Class) css() template.CSS {
	plain := color.NRGBAModel.Convert(c.Color).(color.NRGBA)
	if plain.A == 0 {
		return ""
	}
	return template.CSS(fmt.Sprintf("rgba(%d,%d,%d,%.2f)", plain.R, plain.G, plain.B, float64(plain.A)/255))
}

// has reports whether any square is of a class.
func (c Cells) has(class int) bool {
	for _, m := range c.Maps {
		for _, row := range m.Rows {
			if slices.Contains(row.Cells, class) {
				return true
			}
		}
	}
	return false
}

// The size of a map in pixels. Maps side by side are smaller.
const (
	ofOne    = 256
	ofTwo    = 192
	ofMany   = 160 // for more than three maps
	smallest = 3
	largest  = 13
	upright  = 10 // the minimum height of squares in a single line
)

// The limits of how much of a map is shown.
const (
	maxCellColumns = 128
	maxCellRows    = 48
	maxRowCells    = 4096
)

// bounded shortens maps that are too large, and says so.
func (c Cells) bounded() Cells {
	maps := make([]CellMap, len(c.Maps))
	for i, m := range c.Maps {
		m.Columns = min(m.Columns, maxCellColumns)
		if m.Columns <= 0 {
			m.Columns = maxCellColumns
		}
		rows := m.Rows[:min(len(m.Rows), maxCellRows)]
		left := len(m.Rows) - len(rows)
		m.Rows = nil
		for _, row := range rows {
			if more := len(row.Cells) - maxRowCells; more > 0 {
				row.Cells, row.Note = row.Cells[:maxRowCells], fmt.Sprintf("… %s more", english.Thousands(more))
			}
			m.Rows = append(m.Rows, row)
		}
		if left > 0 {
			m.Rows = append(m.Rows, CellRow{Label: fmt.Sprintf("… %s more", english.Thousands(left))})
		}
		maps[i] = m
	}
	c.Maps = maps
	return c
}

func (c Cells) layout(m CellMap) cellMapLayout {
	out := cellMapLayout{Title: m.Title}
	columns, lines := m.size()
	room := ofOne
	switch {
	case len(c.Maps) > 3:
		room = ofMany
	case len(c.Maps) > 1:
		room = ofTwo
	}
	side := min(largest, max(smallest, room/max(columns, lines, 1)))
	high := side
	if lines == len(m.Rows) {
		high = max(high, upright)
	}
	for _, row := range m.Rows {
		out.Labelled = out.Labelled || row.Label != "" || row.Note != ""
		if len(row.Cells) == 0 {
			out.Rows = append(out.Rows, cellRowLayout{Label: row.Label, Note: row.Note})
			continue
		}
		picture := c.picture(row.Cells, columns, side, high)
		out.Rows = append(out.Rows, cellRowLayout{
			Label: row.Label, Note: row.Note, Alt: c.count(row.Cells),
			Picture: pngAddress(picture), Width: picture.Bounds().Dx(), Height: picture.Bounds().Dy(),
		})
	}
	return out
}

// size returns the width and height of a map in squares.
func (m CellMap) size() (columns, lines int) {
	for _, row := range m.Rows {
		columns = max(columns, len(row.Cells))
	}
	if m.Columns > 0 {
		columns = min(columns, m.Columns)
	}
	for _, row := range m.Rows {
		lines += (len(row.Cells) + max(columns, 1) - 1) / max(columns, 1)
	}
	return columns, lines
}

// picture draws squares one pixel apart; wide and high include that pixel.
func (c Cells) picture(cells []int, columns, wide, high int) image.Image {
	palette := color.Palette{color.RGBA{}, notNumber}
	for _, class := range c.Classes {
		palette = append(palette, class.Color)
	}
	columns = min(columns, len(cells))
	lines := (len(cells) + columns - 1) / columns
	picture := image.NewPaletted(image.Rect(0, 0, columns*wide-1, lines*high-1), palette)
	for i, cell := range cells {
		left, top := i%columns*wide, i/columns*high
		for p := range (wide - 1) * (high - 1) {
			x, y := p%(wide-1), p/(wide-1)
			index := uint8(2 + cell)
			if c.Classes[cell].Color.A == 0 {
				index = hatch(x, y, wide-1)
			}
			picture.SetColorIndex(left+x, top+y, index)
		}
	}
	return picture
}

// count returns how many squares each class has: "32 read, 992 not touched".
func (c Cells) count(cells []int) string {
	counts := make([]int, len(c.Classes))
	for _, cell := range cells {
		counts[cell]++
	}
	var said []string
	for i, n := range counts {
		if n > 0 {
			said = append(said, fmt.Sprintf("%s %s", english.Thousands(n), c.Classes[i].Name))
		}
	}
	return strings.Join(said, ", ")
}

// Text renders each square as its class's sign. It counts repeated lines instead of writing them.
func (c Cells) Text() string {
	c = c.bounded()
	lines := titled(c.Title)
	for _, m := range c.Maps {
		if m.Title != "" {
			lines = append(lines, "  "+m.Title)
		}
		lines = append(lines, c.textRows(m)...)
	}
	var legend []string
	for i, class := range c.Classes {
		if c.has(i) {
			legend = append(legend, fmt.Sprintf("%c %s", class.Sign, class.Name))
		}
	}
	if len(legend) > 0 {
		lines = append(lines, "  "+strings.Join(legend, " · "))
	}
	if c.Remark != "" {
		lines = append(lines, "  "+c.Remark)
	}
	return strings.Join(lines, "\n")
}

// maxCellLines is the maximum number of text lines for one row of squares.
const maxCellLines = 24

func (c Cells) textRows(m CellMap) []string {
	columns, _ := m.size()
	width := 0
	for _, row := range m.Rows {
		width = max(width, utf8.RuneCountInString(row.Label))
	}
	var lines []string
	for _, row := range m.Rows {
		for i, line := range c.textRow(row, max(columns, 1)) {
			label := ""
			if i == 0 {
				label = row.Label
			}
			lines = append(lines, strings.TrimRight("    "+padRight(label, width)+" "+line, " "))
		}
	}
	return lines
}

// textRow renders a row of squares as lines, and counts repeated lines.
func (c Cells) textRow(row CellRow, columns int) []string {
	var lines []string
	last, alike := "", 0
	more := func() {
		if alike > 0 {
			lines = append(lines, "⋮ "+english.Count(alike, "more line like it", "more lines like it"))
		}
		alike = 0
	}
	for start := 0; start == 0 || start < len(row.Cells); start += columns {
		signs := ""
		for _, cell := range row.Cells[start:min(start+columns, len(row.Cells))] {
			signs += string(c.Classes[cell].Sign)
		}
		if start > 0 && signs == last {
			alike++
			continue
		}
		more()
		last = signs
		if start == 0 && row.Note != "" {
			signs += "  " + row.Note
		}
		lines = append(lines, signs)
	}
	more()
	if left := len(lines) - maxCellLines; left > 0 {
		lines = append(lines[:maxCellLines], "⋮ "+english.Count(left, "more line", "more lines"))
	}
	return lines
}

// Fold hides views until the reader opens its line.
type Fold struct {
	Title string
	Views []View
}

// HTML renders the line with the views folded below it.
func (f Fold) HTML() template.HTML {
	return render("fold", struct {
		Title string
		Views []template.HTML
	}{f.Title, htmlOf(f.Views)})
}

// Text shows everything, unfolded.
func (f Fold) Text() string { return joined(f.Title, f.Views) }

func htmlOf(views []View) (all []template.HTML) {
	for _, v := range views {
		all = append(all, v.HTML())
	}
	return all
}

// Beside shows views side by side, and below each other where the page is too narrow.
type Beside struct{ Views []View }

// HTML renders the views in a line that breaks between them.
func (b Beside) HTML() template.HTML { return render("beside", htmlOf(b.Views)) }

// Text shows the views below each other.
func (b Beside) Text() string { return joined("", b.Views) }

// joined returns a title, if there is one, and the texts of views below each other.
func joined(title string, views []View) string {
	said := titled(title)
	for _, v := range views {
		said = append(said, v.Text())
	}
	return strings.Join(said, "\n\n")
}
