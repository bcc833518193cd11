package view

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

// views returns each view in its usual form, and in forms that break careless code: empty, ragged,
// NaN, huge.
func views() map[string]View {
	huge := make([]float32, 2000*300)
	for i := range huge {
		huge[i] = float32(i%300) - 100
	}
	huge[5] = nan
	rows := make([][]any, 5000)
	for i := range rows {
		rows[i] = []any{i, "x"}
	}
	return map[string]View{
		"card":                     Card{Title: "Adapter", Rows: [][2]string{{"name", "llvmpipe"}, {"kind", "CPU"}}},
		"card, empty":              Card{},
		"texture, empty":           TextureImage{Image: image.NewGray(image.Rect(0, 0, 0, 0))},
		"texture":                  TextureImage{Title: "out", Image: image.NewGray(image.Rect(0, 0, 3, 2))},
		"note, good":               Note{Mark: Good, Title: "add is right", Body: "7 of 7 cases"},
		"note, bad":                Note{Mark: Bad, Title: "Not yet", Body: "two\nlines"},
		"note, bare":               Note{Title: "So it is"},
		"table":                    Table{Caption: "Speed", Headers: []string{"n", "kernel", "ms"}, Rows: [][]any{{64, "tiled", 0.25}, {1024, "naive", 12.5}}, Highlight: []int{1}},
		"table, ragged":            Table{Headers: []string{"a"}, Rows: [][]any{{1, 2, 3}, {}, {nil, nan}}},
		"table, a corner":          Table{Headers: []string{"", "yours"}, Rows: [][]any{{"reads", 3}}, Highlight: []int{0}},
		"table, empty":             Table{},
		"table, huge":              Table{Headers: []string{"i", "x"}, Rows: rows},
		"heat map":                 HeatMap{Title: "a", Values: []float32{1, -2, 3.5, 0}, Rows: 2, Cols: 2},
		"heat map, strange":        HeatMap{Values: []float32{nan, inf, -inf, 1}, Rows: 2, Cols: 2},
		"heat map, all NaN":        HeatMap{Values: []float32{nan, nan}, Rows: 1, Cols: 2},
		"heat map, all alike":      HeatMap{Values: make([]float32, 900), Rows: 30, Cols: 30},
		"heat map, empty":          HeatMap{},
		"heat map, mismatched":     HeatMap{Values: []float32{1, 2, 3}, Rows: 2, Cols: 2},
		"heat map, negative":       HeatMap{Values: []float32{1}, Rows: -1, Cols: -1},
		"heat map, huge":           HeatMap{Values: huge, Rows: 2000, Cols: 300},
		"heat map, plain":          HeatMap{Values: huge[:900], Rows: 30, Cols: 30, Plain: true},
		"heat map, plain and huge": HeatMap{Values: huge, Rows: 2000, Cols: 300, Plain: true},
		"heat map, a row":          HeatMap{Values: huge[:5000], Rows: 1, Cols: 5000},
		"confusion":                Confusion{Source: "drawn digits", Counts: [][]uint32{{9, 1}, {0, 10}}},
		"confusion, ragged":        Confusion{Counts: [][]uint32{{1}, {2, 3, 4}}},
		"confusion, empty":         Confusion{},
		"digits":                   Digits{Title: "Read", Source: "MNIST test images", Images: make([]byte, 3*784), Labels: []byte{7, 2, 1}, Read: []uint32{7, 3, 1}, Confidence: []float32{0.999, 0.5, 1}},
		"digits, bare":             Digits{Images: make([]byte, 784)},
		"digits, empty":            Digits{},
		"digits, cut short":        Digits{Images: make([]byte, 1000), Labels: []byte{1, 2, 3}, Confidence: []float32{nan}},
		"digits, huge":             Digits{Images: make([]byte, 10_000*784)},
		"bars":                     Bars{Title: "Sure?", Source: "drawn digits", Values: []float32{0.1, 0.9}, Percent: true, Highlight: []int{1}},
		"bars, strange":            Bars{Values: []float32{nan, inf, -inf, -2, 4}},
		"bars, zero":               Bars{Values: []float32{0, 0}},
		"bars, empty":              Bars{},
		"dispatch":                 DispatchPicture{Title: "Two", Workgroups: [2]int{2}, Size: [2]int{64}, Elements: [2]int{100}},
		"dispatch, 2-D":            DispatchPicture{Workgroups: [2]int{3, 2}, Size: [2]int{8, 8}, Elements: [2]int{20, 9}},
		"dispatch, elided":         DispatchPicture{Workgroups: [2]int{100}, Size: [2]int{64}, Elements: [2]int{6399}},
		"dispatch, elided 2-D":     DispatchPicture{Workgroups: [2]int{9, 9}, Size: [2]int{16, 16}, Elements: [2]int{130, 130}},
		"dispatch, too few":        DispatchPicture{Workgroups: [2]int{1}, Size: [2]int{64}, Elements: [2]int{65}},
		"dispatch, empty":          DispatchPicture{},
		"dispatch, negative":       DispatchPicture{Workgroups: [2]int{-1, -1}, Size: [2]int{-5, 3}, Elements: [2]int{-7}},
		"dispatch, huge":           DispatchPicture{Workgroups: [2]int{65535, 65535}, Size: [2]int{1024, 1}, Elements: [2]int{60_000_000, 65535}},
		"cells": Cells{Title: "Who reads what", Remark: "as it is", Classes: readOrNot, Maps: []CellMap{
			{Title: "a", Columns: 4, Rows: []CellRow{{Cells: []int{0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}}}},
			{Title: "b", Columns: 4, Rows: []CellRow{{Label: "first", Cells: []int{0, 1, 0, 2}, Note: "two of 4"}, {Label: "then", Cells: []int{0, 1}}}},
		}},
		"cells, empty":        Cells{},
		"cells, an empty map": Cells{Classes: readOrNot, Maps: []CellMap{{Title: "a"}, {Rows: []CellRow{{Label: "none"}}}}},
		"cells, huge":         Cells{Classes: readOrNot, Maps: []CellMap{{Rows: slices.Repeat([]CellRow{{Cells: slices.Repeat([]int{0, 1, 2}, 5000)}}, 2)}}},
		"cells, many rows":    Cells{Classes: readOrNot, Maps: []CellMap{{Columns: 1000, Rows: slices.Repeat([]CellRow{{Label: "x", Cells: make([]int, 64)}}, 300)}}},
		"roofline":            Roofline{Title: "Roof", Source: "on a laptop", Peak: 2e12, Slopes: slopes, Points: []RoofPoint{{"yours", 1e6, 1e6, 1e-4, 0}, {"the least", 1e6, 1e4, 1e-6, 1}}},
		"roofline, strange":   Roofline{Peak: 2e12, Slopes: slopes, Points: []RoofPoint{{"yours", 0, 0, 0, 0}}},
		"roofline, no slope":  Roofline{Peak: 2e12, Slopes: slopes, Points: []RoofPoint{{"yours", 1, 1, 1, 2}}},
		"roofline, empty":     Roofline{},
		"fold":                Fold{Title: "More", Views: []View{Note{Title: "So it is"}, Card{Rows: [][2]string{{"a", "b"}}}}},
		"fold, empty":         Fold{},
		"beside":              Beside{Views: []View{HeatMap{Rows: 1, Cols: 2, Values: []float32{1, 2}}, Card{Rows: [][2]string{{"a", "b"}}}}},
		"note, code":          Note{Title: "`add` is right", Body: "`a + b`, and one ` alone"},
		"ready-made":          HTML(`<div>done</div>`, "done"),
	}
}

var slopes = []RoofSlope{{"cache", 2.6e11}, {"memory", 6.8e10}}

var readOrNot = []Class{{"not touched", '·', Faint}, {"read", '#', Blue}, {"nobody's", '_', Hollow}}

// The parts of HTML that JupyterLab's sanitiser keeps, as far as this package uses them. It keeps
// class names, titles and styles on every element.
var (
	keptTags = []string{"div", "span", "strong", "code", "br", "details", "summary", "img", "table", "caption", "thead", "tbody", "tr", "th", "td"}
	keptWith = map[string][]string{"img": {"alt", "src", "width", "height"}, "th": {"scope"}, "td": {"colspan"}}
	// The sanitiser drops image-rendering; the pictures are acceptable without it.
	keptStyles = strings.Fields(`background background-color background-image background-size border border-bottom border-collapse
		border-left border-radius border-spacing box-sizing caption-side color cursor display font-size font-weight height line-height
		margin max-width min-width opacity overflow-x padding table-layout text-align vertical-align white-space width image-rendering`)
)

func TestViewsAreWellFormedAndKeepToWhatTheSanitiserKeeps(t *testing.T) {
	for name, view := range views() {
		t.Run(name, func(t *testing.T) {
			html := string(view.HTML())
			require.NotContains(t, html, "ZgotmplZ", "the template engine refused a value")
			require.Less(t, len(html), 150_000)
			require.NotContains(t, html, "></th>", "a header cell without text")
			for _, element := range elements(t, html) {
				tag := element.Name.Local
				require.Contains(t, keptTags, tag)
				for _, attribute := range element.Attr {
					checkAttribute(t, tag, attribute)
				}
				if tag == "img" {
					require.NotEmpty(t, attributeOf(element, "alt"), "every picture says what it shows")
					picture := decodePicture(t, attributeOf(element, "src"))
					require.LessOrEqual(t, picture.Bounds().Dx(), 1024)
				}
			}
		})
	}
}

func checkAttribute(t *testing.T, tag string, attribute xml.Attr) {
	t.Helper()
	switch name := attribute.Name.Local; name {
	case "class":
		require.True(t, strings.HasPrefix(attribute.Value, "wgslab-"), attribute.Value)
	case "title":
	case "style":
		for _, declaration := range strings.Split(strings.TrimSuffix(attribute.Value, ";"), ";") {
			property, _, _ := strings.Cut(declaration, ":")
			require.Contains(t, keptStyles, property)
		}
	default:
		require.Contains(t, keptWith[tag], name, "<%s>", tag)
	}
}

// elements returns every start tag of html, which must be well nested.
func elements(t *testing.T, html string) []xml.StartElement {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader("<div>" + html + "</div>"))
	decoder.Strict = false
	decoder.AutoClose = []string{"img", "br"}
	decoder.Entity = xml.HTMLEntity
	var found []xml.StartElement
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		require.NoError(t, err)
		if start, ok := token.(xml.StartElement); ok {
			found = append(found, start.Copy())
		}
	}
}

func attributeOf(element xml.StartElement, name string) string {
	for _, attribute := range element.Attr {
		if attribute.Name.Local == name {
			return attribute.Value
		}
	}
	return ""
}

func decodePicture(t *testing.T, address string) image.Image {
	t.Helper()
	encoded, ok := strings.CutPrefix(address, "data:image/png;base64,")
	require.True(t, ok, "pictures come along, none is fetched: %.40s", address)
	raw, err := base64.StdEncoding.DecodeString(encoded)
	require.NoError(t, err)
	picture, err := png.Decode(bytes.NewReader(raw))
	require.NoError(t, err)
	return picture
}

func pictures(t *testing.T, view View) []image.Image {
	t.Helper()
	var found []image.Image
	for _, element := range elements(t, string(view.HTML())) {
		if element.Name.Local == "img" {
			found = append(found, decodePicture(t, attributeOf(element, "src")))
		}
	}
	return found
}

func TestTextIsPlainAndBounded(t *testing.T) {
	for name, view := range views() {
		text := view.Text()
		require.False(t, strings.HasSuffix(text, "\n"), name)
		require.NotContains(t, text, "<", name)
		require.Less(t, len(text), 10_000, name)
		for _, line := range strings.Split(text, "\n") {
			require.Equal(t, strings.TrimRight(line, " "), line, name)
		}
	}
}

func TestHostileWordsAreOnlyWords(t *testing.T) {
	const evil = `<script>alert(1)</script>"' onerror=x style=y &amp;`
	for _, view := range []View{
		Card{Title: evil, Rows: [][2]string{{evil, evil}}},
		Note{Title: evil, Body: evil, Code: evil},
		Table{Caption: evil, Headers: []string{evil}, Rows: [][]any{{evil}}},
		HeatMap{Title: evil, Values: []float32{1}, Rows: 1, Cols: 1, RowLabels: []string{evil}, ColLabels: []string{evil}},
		Confusion{Source: evil, Labels: []string{evil}, Counts: [][]uint32{{1}}},
		Digits{Title: evil, Source: evil, Images: make([]byte, 784)},
		Bars{Title: evil, Source: evil, Labels: []string{evil}, Values: []float32{1}},
		DispatchPicture{Title: evil, Workgroups: [2]int{1}, Size: [2]int{1}, Elements: [2]int{1}},
	} {
		html := string(view.HTML())
		require.NotContains(t, html, "<script", "%T", view)
		require.Contains(t, html, "&lt;script&gt;", "%T", view)
		for _, element := range elements(t, html) {
			require.Empty(t, attributeOf(element, "onerror"), "%T", view)
		}
		require.Contains(t, view.Text(), "<script>alert(1)</script>", "%T", view)
	}
}

func TestCardText(t *testing.T) {
	require.Equal(t, "Adapter\n  name  llvmpipe\n  kind  CPU", views()["card"].Text())
}

func TestNoteTextSaysItsMark(t *testing.T) {
	require.Equal(t, "✓ add is right\n  7 of 7 cases", views()["note, good"].Text())
	require.Equal(t, "✗ Not yet\n  two\n  lines", views()["note, bad"].Text())
	require.Contains(t, string(views()["note, code"].HTML()), "<code>add</code> is right")
	require.Contains(t, string(views()["note, code"].HTML()), "<code>a + b</code>, and one ` alone")
}

func TestTableAlignsNumbersAndMarksRows(t *testing.T) {
	require.Equal(t, strings.Join([]string{
		"Speed",
		"      n  kernel    ms",
		"  ─────  ──────  ────",
		"     64  tiled   0.25",
		"> 1,024  naive   12.5",
	}, "\n"), views()["table"].Text())
	html := string(views()["table"].HTML())
	require.Equal(t, 1, strings.Count(html, "▸"), "the marked row is told by more than its colour")
	require.Equal(t, 6, strings.Count(html, "text-align:right"), "two columns of numbers, three rows")
}

func TestTableLeavesOutTheMiddle(t *testing.T) {
	text := views()["table, huge"].Text()
	require.Contains(t, text, "… 4,900 more rows")
	require.Contains(t, text, "\n     49  x\n")
	require.Contains(t, text, "4,950  x\n")
	require.NotContains(t, text, "\n     50  x\n")
}

func TestHeatMapShowsSmallMatricesAsNumbers(t *testing.T) {
	view := views()["heat map"]
	require.Equal(t, "a\n       0   1\n  ─  ───  ──\n  0    1  -2\n  1  3.5   0", view.Text())
	html := string(view.HTML())
	require.Contains(t, html, `title="row 1, column 0: 3.5"`)
	// 3.5 is the largest value and therefore full orange; zero is the pale middle.
	require.Contains(t, html, "background-color:#a34a00;color:#ffffff")
	require.Contains(t, html, "background-color:#f4f4f2;color:#000000")
}

func TestHeatMapShowsLargeMatricesAsAPicture(t *testing.T) {
	values := make([]float32, 40*50)
	for i := range values {
		values[i] = float32(i)
	}
	values[51] = nan
	view := HeatMap{Title: "w", Values: values, Rows: 40, Cols: 50}
	picture := pictures(t, view)[0]
	pixel := picture.Bounds().Dx() / 50
	require.Equal(t, image.Rect(0, 0, 50*pixel, 40*pixel), picture.Bounds())
	at := func(row, col int) color.Color { return color.RGBAModel.Convert(picture.At(col*pixel, row*pixel)) }
	require.Equal(t, sequential[0], at(0, 0))
	require.Equal(t, sequential[4], at(39, 49))
	require.Equal(t, notNumber, at(1, 1))
	require.Contains(t, view.Text(), "40×50, smallest 0 at (0, 0), largest 1999 at (39, 49), 1 not finite")
	require.Contains(t, string(view.HTML()), "1 not finite; NaN is grey")
}

// A scale from 0 to 0 would say nothing.
// Absent values are no part of a mean, and a block without others is a gap.
func TestHeatMapShowsGapsOfALargeMatrix(t *testing.T) {
	h := HeatMap{Rows: 32, Cols: 17, Values: make([]float32, 32*17), Absent: make([]bool, 32*17)}
	for i := range h.Values {
		row, col := i/17, i%17
		h.Values[i] = float32(row % 2)
		if h.Absent[i] = col == 8 || row == 0; h.Absent[i] {
			h.Values[i] = float32(math.NaN())
		}
	}
	lines := strings.Split(h.Text(), "\n")
	require.Equal(t, "|████████·████████|", lines[1])
	require.Equal(t, "|▒▒▒▒▒▒▒▒·▒▒▒▒▒▒▒▒|", lines[2])
	require.NotContains(t, string(h.HTML()), "not finite")
}

func TestHeatMapOfOneValueHasNoScale(t *testing.T) {
	html := string(HeatMap{Values: make([]float32, 40*50), Rows: 40, Cols: 50}.HTML())
	require.Contains(t, html, "every value is 0")
	require.Equal(t, 1, strings.Count(html, "<img "))
}

func TestHeatMapSaysWhenItsShapeIsWrong(t *testing.T) {
	require.Equal(t, "3 values do not fill 2×2", views()["heat map, mismatched"].Text())
}

func TestConfusionCountsAndNamesItsSource(t *testing.T) {
	text := views()["confusion"].Text()
	require.Contains(t, text, "drawn digits: 19 of 20 right (95.00 %)")
	require.Contains(t, text, "             0  9   1   90.00 %")
	html := string(views()["confusion"].HTML())
	require.Contains(t, html, `title="0 read as 1: 1"`)
	require.Contains(t, html, "drawn digits")
}

func TestDigitsSayWhatWasReadAndWhetherItIsRight(t *testing.T) {
	view := views()["digits"]
	html := string(view.HTML())
	require.Contains(t, html, `alt="a handwritten digit, read as 7 with 99.9 %, right"`)
	require.Contains(t, html, `alt="a handwritten digit, read as 3 with 50.0 %, but it is 2"`)
	require.Contains(t, html, "MNIST test images")
	text := view.Text()
	require.Contains(t, text, "Read · MNIST test images")
	require.Contains(t, text, "✓ 7 99.9 %")
	require.Contains(t, text, "✗ 3 50.0 % is 2")
}

func TestDigitsAreDrawnDotByDot(t *testing.T) {
	digits := Digits{Images: make([]byte, 784)}
	digits.Images[0], digits.Images[27*28+27] = 255, 200
	picture := pictures(t, digits)[0]
	require.Equal(t, image.Rect(0, 0, 56, 56), picture.Bounds())
	require.Equal(t, color.Gray{Y: 255}, picture.At(1, 1))
	require.Equal(t, color.Gray{Y: 0}, picture.At(2, 2))
	require.Equal(t, color.Gray{Y: 200}, picture.At(55, 55))
	lines := strings.Split(digits.Text(), "\n")
	require.Equal(t, "⠁", string([]rune(lines[0])[0]))
	require.Equal(t, "⢀", string([]rune(lines[6])[13]))
}

func TestBarsShowSharesAndSigns(t *testing.T) {
	text := views()["bars"].Text()
	require.Contains(t, text, "Sure? · drawn digits")
	require.Contains(t, text, "  0 ███ ")
	require.Contains(t, text, "> 1 "+strings.Repeat("█", 27)+"    90.0 %")
	require.Contains(t, string(views()["bars"].HTML()), "width:90.00%")
	strange := views()["bars, strange"].Text()
	for _, word := range []string{"NaN", "+Inf", "-Inf", "-2"} {
		require.Contains(t, strange, word)
	}
	require.Contains(t, string(views()["bars, strange"].HTML()), "width:50.00%", "infinity does not squash the others")
}

func TestMarksAndCellsReadInBothThemes(t *testing.T) {
	for _, mark := range []Mark{Neutral, Good, Bad} {
		var c color.RGBA
		_, err := fmt.Sscanf(string(mark.Color()), "#%02x%02x%02x", &c.R, &c.G, &c.B)
		require.NoError(t, err)
		// WCAG 2.1 requires 3:1 for signs and graphics.
		require.Greater(t, contrast(c, rgb(0xffffff)), 3.0)
		require.Greater(t, contrast(c, rgb(0x111111)), 3.0)
		// It requires 4.5:1 for text, here on a note, which is slightly grey.
		require.Contains(t, string(mark.Ink()), "color-mix(in srgb,"+string(mark.Color())+" 75%,currentColor)")
		black, white := rgb(0), rgb(0xffffff)
		for text, page := range map[color.RGBA]color.RGBA{black: white, white: rgb(0x111111)} {
			require.Greater(t, contrast(mix(c, text, 0.75), mix(page, rgb(0x808080), 0.91)), 4.5, "%s beside text %v", mark.Sign(), text)
		}
	}
	for _, palette := range [][]color.RGBA{sequential, diverging} {
		for i := range 101 {
			background := at(palette, float64(i)/100)
			ink := rgb(0)
			if inkOn(background) == "#ffffff" {
				ink = rgb(0xffffff)
			}
			require.GreaterOrEqual(t, contrast(background, ink), 4.5)
		}
	}
	for _, background := range workgroupColors {
		require.Greater(t, contrast(background, rgb(0xffffff)), 4.5)
	}
}

// mix mixes the given share of one colour with the rest of the other, as CSS does in srgb.
func mix(a, b color.RGBA, share float64) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8(math.Round(share*float64(a) + (1-share)*float64(b))) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 255}
}

// contrast returns WCAG's ratio of two colours, 1 to 21.
func contrast(a, b color.RGBA) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func TestCellsCountLinesThatAreAlike(t *testing.T) {
	require.Equal(t, strings.Join([]string{
		"Who reads what",
		"  a",
		"     ····",
		"     ####",
		"     ····",
		"     ⋮ 1 more line like it",
		"  b",
		"    first ·#·_  two of 4",
		"    then  ·#",
		"  · not touched · # read · _ nobody's",
		"  as it is",
	}, "\n"), views()["cells"].Text())
}

// The picture shows the given cells: each square has its class's colour, at its place.
func TestCellsDrawEverySquareInItsClassColour(t *testing.T) {
	drawn := pictures(t, views()["cells"])
	require.Len(t, drawn, 3, "a row, and two")
	a := drawn[0]
	side := (a.Bounds().Dx() + 1) / 4
	require.Equal(t, a.Bounds().Dx(), a.Bounds().Dy(), "16 squares, 4 a line")
	for i := range 16 {
		want := Faint
		if i/4 == 1 {
			want = Blue
		}
		got := color.RGBAModel.Convert(a.At(i%4*side+side/2, i/4*side+side/2)).(color.RGBA)
		require.InDelta(t, want.A, got.A, 1, "square %d", i)
		require.InDelta(t, want.B, got.B, 2, "square %d", i)
	}
	html := string(views()["cells"].HTML())
	require.Contains(t, html, `alt="12 not touched, 4 read"`)
	require.Contains(t, html, "read</span>", "the legend")
}

func TestLegendNamesOnlyWhatIsThere(t *testing.T) {
	view := Cells{Classes: readOrNot, Maps: []CellMap{{Rows: []CellRow{{Cells: []int{1}}}}}}
	for _, form := range []string{string(view.HTML()), view.Text()} {
		require.Contains(t, form, "read")
		require.NotContains(t, form, "not touched")
	}
}

// A bar chart of shares shows their sum, and shows percent only if the sum is one.
func TestBarsOfShares(t *testing.T) {
	require.Equal(t, "T · they add up to 1\n  0 ███████████████                50.0 %\n  1 ███████████████                50.0 %",
		Bars{Title: "T", Values: []float32{0.5, 0.5}, Shares: true}.Text())
	raw := Bars{Source: "scores", Values: []float32{1, 3}, Shares: true}
	require.Equal(t, "scores · they add up to 4\n  0 ██████████                     1\n  1 ██████████████████████████████ 3", raw.Text())
	require.Contains(t, string(raw.HTML()), "they add up to 4")
}

func TestColumns(t *testing.T) {
	table := Columns([]string{"x", "2x"}, []float32{1, 2}, []float32{2, 4, 6})
	table.Add([]float32{0.12345, 2}, errors.New("first line\nsecond"))
	require.Equal(t, strings.Join([]string{
		"  x         2x",
		"  ────────  ──────────",
		"  1         2",
		"  2         4",
		"            6",
		"  0.123, 2  first line",
	}, "\n"), table.Text())
}

// Without a number of workgroups, DispatchPicture uses enough to cover the elements.
func TestDispatchCovers(t *testing.T) {
	for _, elements := range [][2]int{{5, 3}, {8, 0}, {1, 1}} {
		d := DispatchPicture{Size: [2]int{4, 2}, Elements: elements}
		covered := d
		covered.Workgroups = [2]int{(elements[0] + 3) / 4, (max(elements[1], 1) + 1) / 2}
		require.Equal(t, covered.Text(), d.Text())
		require.Equal(t, covered.HTML(), d.HTML())
	}
}
