package view

import (
	"fmt"
	"html/template"
	"image"
	"image/color"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
)

const (
	// maxInvocations is the most invocations that a map shows one by one; a larger map shows only
	// workgroups.
	maxInvocations = 1024
	// maxNumbered is the most invocations that a map labels with their element's number.
	maxNumbered = 256
	// invocationsPerLine is the number of cells per line of a one-dimensional workgroup.
	invocationsPerLine = 16
)

// DispatchPicture is a picture of a dispatch: which invocation touches which element, and which
// ones have nothing to do. Sizes are (x, y). A y of 0 counts as 1, so one-dimensional problems set
// only x.
type DispatchPicture struct {
	Title      string
	Workgroups [2]int // optional; by default enough to cover the elements
	Size       [2]int // invocations per workgroup
	Elements   [2]int // number of elements to touch
}

type invocation struct {
	Text, Title string
	Idle        bool
}

type workgroup struct {
	Name, Title, Busy string
	Lines             [][]invocation // numbered invocations, if there are few
	Picture           template.URL   // the invocations as a picture, if there are more
	Width, Height     int            // of the picture, in pixels
	Color             template.CSS
	Idle              bool
	Gap               string // the text in place of workgroups that are left out
}

type dispatchLayout struct {
	Title, Summary, Warning string
	Rows                    [][]workgroup
	Grid                    bool // two-dimensional: rows do not wrap
	Remark                  string
}

// Mark returns the warning's mark.
func (dispatchLayout) Mark() Mark { return Bad }

// workgroupColors distinguish neighbouring workgroups; white text is legible on each.
var workgroupColors = []color.RGBA{rgb(0x2c6fb3), rgb(0x7a5fb5), rgb(0x12756b)}

// HTML renders the map. It leaves out the middle of a large dispatch.
func (d DispatchPicture) HTML() template.HTML {
	d = d.normal()
	layout := dispatchLayout{Title: d.Title, Summary: d.summary(), Warning: d.warning(), Grid: !d.flat()}
	keep, level := d.detail()
	if level == numbered && layout.Grid {
		layout.Remark = "each number is row,column"
	}
	columns, rows := visible(d.Workgroups[0], keep), visible(d.Workgroups[1], keep)
	for _, wy := range rows {
		if wy < 0 {
			gap := fmt.Sprintf("⋮ %s", english.Count(d.Workgroups[1]-len(rows)+1, "more row of workgroups", "more rows of workgroups"))
			layout.Rows = append(layout.Rows, []workgroup{{Gap: gap}})
			continue
		}
		var line []workgroup
		for _, wx := range columns {
			if wx < 0 {
				line = append(line, workgroup{Gap: fmt.Sprintf("… %s …", english.Count(d.Workgroups[0]-len(columns)+1, "more", "more"))})
				continue
			}
			line = append(line, d.workgroup(wx, wy, level))
		}
		layout.Rows = append(layout.Rows, line)
	}
	return render("dispatch", layout)
}

// Text renders the map with one character per invocation or, if it is large, per workgroup.
func (d DispatchPicture) Text() string {
	d = d.normal()
	lines := append(titled(d.Title), d.summary())
	if warning := d.warning(); warning != "" {
		lines = append(lines, warning)
	}
	if d.flat() {
		lines = append(lines, d.textLine()...)
	} else {
		lines = append(lines, d.textGrid()...)
	}
	return strings.Join(lines, "\n")
}

func (d DispatchPicture) normal() DispatchPicture {
	for _, sizes := range []*[2]int{&d.Workgroups, &d.Size, &d.Elements} {
		sizes[0] = max(sizes[0], 0)
		if sizes[1] <= 0 {
			sizes[1] = 1
		}
	}
	if d.Workgroups == [2]int{0, 1} && d.Size[0] > 0 {
		for axis, n := range d.Elements {
			d.Workgroups[axis] = (n + d.Size[axis] - 1) / d.Size[axis]
		}
	}
	return d
}

func (d DispatchPicture) flat() bool {
	return d.Workgroups[1] == 1 && d.Size[1] == 1 && d.Elements[1] == 1
}

func (d DispatchPicture) invocations() (x, y int) {
	return d.Workgroups[0] * d.Size[0], d.Workgroups[1] * d.Size[1]
}

func (d DispatchPicture) busy() int {
	x, y := d.invocations()
	return min(x, d.Elements[0]) * min(y, d.Elements[1])
}

func (d DispatchPicture) summary() string {
	x, y := d.invocations()
	idle := x*y - d.busy()
	words := fmt.Sprintf("%s × %s = %s for %s",
		english.Count(d.Workgroups[0]*d.Workgroups[1], "workgroup", "workgroups"),
		english.Count(d.Size[0]*d.Size[1], "invocation", "invocations"),
		english.Thousands(x*y), english.Count(d.Elements[0]*d.Elements[1], "element", "elements"))
	switch idle {
	case 0:
		return words + "; none is idle"
	case 1:
		return words + "; 1 is idle"
	}
	return fmt.Sprintf("%s; %s are idle", words, english.Thousands(idle))
}

// warning says how many elements have no invocation, if any.
func (d DispatchPicture) warning() string {
	missed := d.Elements[0]*d.Elements[1] - d.busy()
	if missed <= 0 {
		return ""
	}
	words := fmt.Sprintf("No invocation touches %s", english.Count(missed, "element", "elements"))
	switch {
	case d.flat() && missed == 1:
		words += fmt.Sprintf(" (%d)", d.busy())
	case d.flat():
		words += fmt.Sprintf(" (%d to %d)", d.busy(), d.Elements[0]-1)
	}
	return words + "."
}

// detail is the level of detail at which a map shows workgroups.
type detail int

const (
	whole    detail = iota // each workgroup as one cell
	pictured               // its invocations as a picture
	numbered               // its invocations with their elements' numbers
)

// detail decides how many workgroups to show on each axis, and at which level of detail.
func (d DispatchPicture) detail() (keep int, level detail) {
	for keep = 8; keep >= 2; keep-- {
		shown := min(d.Workgroups[0], keep) * min(d.Workgroups[1], keep) * d.Size[0] * d.Size[1]
		if shown <= maxNumbered {
			return keep, numbered
		}
		if shown <= maxInvocations {
			return keep, pictured
		}
	}
	return 3, whole
}

// visible returns which of n items to show if there is room for keep: all of them, or the first
// ones, a gap (-1), and the last.
func visible(n, keep int) []int {
	var shown []int
	for i := range min(n, keep) {
		shown = append(shown, i)
	}
	if n > keep {
		shown = append(shown[:keep-1], -1, n-1)
	}
	return shown
}

func (d DispatchPicture) workgroup(wx, wy int, level detail) workgroup {
	fill := workgroupColors[(wx+wy)%len(workgroupColors)]
	w := workgroup{Name: fmt.Sprintf("workgroup %d", wx), Color: css(fill)}
	if !d.flat() {
		w.Name = fmt.Sprintf("workgroup (%d, %d)", wx, wy)
	}
	all := d.Size[0] * d.Size[1]
	busy := clamp(d.Elements[0]-wx*d.Size[0], d.Size[0]) * clamp(d.Elements[1]-wy*d.Size[1], d.Size[1])
	switch {
	case busy == all:
		w.Busy = fmt.Sprintf("all %s busy", english.Thousands(all))
	case busy == 0:
		w.Busy, w.Idle = fmt.Sprintf("all %s idle", english.Thousands(all)), true
	default:
		w.Busy = fmt.Sprintf("%s busy, %s idle", english.Thousands(busy), english.Thousands(all-busy))
	}
	w.Title = w.Name + ": " + w.Busy
	switch level {
	case numbered:
		w.Lines = d.cells(wx, wy)
	case pictured:
		picture := drawCells(d.cells(wx, wy), fill)
		w.Picture, w.Width, w.Height = pngAddress(picture), picture.Bounds().Dx(), picture.Bounds().Dy()
	}
	return w
}

func clamp(n, high int) int { return max(0, min(n, high)) }

func (d DispatchPicture) cells(wx, wy int) [][]invocation {
	var lines [][]invocation
	for ly := range d.Size[1] {
		var line []invocation
		for lx := range d.Size[0] {
			if d.flat() && len(line) == invocationsPerLine {
				lines, line = append(lines, line), nil
			}
			line = append(line, d.invocation(wx, wy, lx, ly))
		}
		lines = append(lines, line)
	}
	return lines
}

func (d DispatchPicture) invocation(wx, wy, lx, ly int) invocation {
	x, y := wx*d.Size[0]+lx, wy*d.Size[1]+ly
	one := invocation{Idle: x >= d.Elements[0] || y >= d.Elements[1]}
	who, what, number := fmt.Sprintf("invocation %d", lx), fmt.Sprintf("element %d", x), fmt.Sprint(x)
	if !d.flat() {
		who, what = fmt.Sprintf("invocation (%d, %d)", lx, ly), fmt.Sprintf("row %d, column %d", y, x)
		number = fmt.Sprintf("%d,%d", y, x)
	}
	if one.Idle {
		one.Title = who + ": idle, there is no " + what
		return one
	}
	one.Title = who + ": " + what
	if len(number) <= 4 {
		one.Text = number
	}
	return one
}

// drawCells draws a workgroup's invocations as small squares: filled if busy, hatched on the
// page's background if idle.
func drawCells(lines [][]invocation, fill color.RGBA) image.Image {
	const cell, gap = 9, 2 // pixels
	palette := color.Palette{color.Transparent, fill, notNumber}
	side := func(n int) int { return max(0, n*(cell+gap)-gap) }
	picture := image.NewPaletted(image.Rect(0, 0, side(len(lines[0])), side(len(lines))), palette)
	for row, line := range lines {
		for column, one := range line {
			for i := range cell * cell {
				x, y := i%cell, i/cell
				index := uint8(1)
				if one.Idle {
					index = 2 * hatch(x, y, cell)
				}
				picture.SetColorIndex(column*(cell+gap)+x, row*(cell+gap)+y, index)
			}
		}
	}
	return picture
}

// hatch returns 1 on the dashed border and the stripes of an idle square, otherwise 0.
func hatch(x, y, side int) uint8 {
	border := x == 0 || y == 0 || x == side-1 || y == side-1
	if border && (x+y)%4 < 2 || !border && (x+y)%4 == 0 {
		return 1
	}
	return 0
}

func (d DispatchPicture) textLine() []string {
	const full = 32
	var lines []string
	shown := visible(d.Workgroups[0], 8)
	for _, w := range shown {
		if w < 0 {
			lines = append(lines, fmt.Sprintf("  … %s", english.Count(d.Workgroups[0]-len(shown)+1, "more workgroup", "more workgroups")))
			continue
		}
		busy := clamp(d.Elements[0]-w*d.Size[0], d.Size[0])
		blocks := 0
		if d.Size[0] > 0 {
			blocks = (busy*full + d.Size[0] - 1) / d.Size[0]
		}
		line := fmt.Sprintf("  workgroup %-4d |%s%s|", w, strings.Repeat("█", blocks), strings.Repeat("░", full-blocks))
		if busy > 0 {
			line += fmt.Sprintf(" elements %d to %d", w*d.Size[0], w*d.Size[0]+busy-1)
		}
		if idle := d.Size[0] - busy; idle > 0 {
			line += fmt.Sprintf(" (%s idle)", english.Thousands(idle))
		}
		lines = append(lines, line)
	}
	return lines
}

// textGrid draws invocations, or whole workgroups if there are too many. The signs █, ▒ and ░ mean
// full, partly idle and idle.
func (d DispatchPicture) textGrid() []string {
	const most = 64
	x, y := d.invocations()
	stepX, stepY, unit := 1, 1, "an invocation"
	if x > most || y > most/2 {
		stepX, stepY, unit = d.Size[0], d.Size[1], "a workgroup"
	}
	lines := []string{fmt.Sprintf("each character is %s: █ busy, ▒ partly idle, ░ idle", unit)}
	if x == 0 || y == 0 {
		return lines
	}
	for top := 0; top < min(y, most/2*stepY); top += stepY {
		line := "  "
		for left := 0; left < min(x, most*stepX); left += stepX {
			busy := clamp(d.Elements[0]-left, stepX) * clamp(d.Elements[1]-top, stepY)
			switch busy {
			case stepX * stepY:
				line += "█"
			case 0:
				line += "░"
			default:
				line += "▒"
			}
		}
		if x > most*stepX {
			line += " …"
		}
		lines = append(lines, line)
	}
	if y > most/2*stepY {
		lines = append(lines, "  …")
	}
	return lines
}
