package debug

import (
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/view/mark"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Picture shows the workgroup at one moment: where its invocations are, and who last wrote each
// element of its memory.
type Picture struct {
	Workgroup [3]uint32
	Width     int // invocations in a row: the workgroup's size in x
	Cells     []InvocationCell
	Memory    []MemoryStrip
}

// An InvocationCell is an invocation.
type InvocationCell struct {
	Snapshot
	Mark int
	Here bool // the viewed invocation
}

// A Snapshot is a line with the state of an invocation there.
type Snapshot struct {
	Line  int
	State sim.State
}

// A MemoryStrip is a variable in workgroup memory or a buffer that the shader writes, element by
// element.
type MemoryStrip struct {
	Name    string
	Writers []int // local_invocation_index of the last writer, or Nobody or Elsewhere
	Left    int   // number of elements not shown
}

// Writers of elements that no invocation of the workgroup has written.
const (
	Nobody    = -1
	Elsewhere = -2 // an invocation of an earlier workgroup
)

// shownWriters is the maximum number of elements that a picture shows of a variable.
const shownWriters = 256

// Picture draws the current moment.
func (s *Session) Picture() Picture {
	p := Picture{Workgroup: s.Workgroup(), Width: int(s.Target.Program.Pipeline.WorkgroupSize[0])}
	for i := range s.sim.Invocations() {
		p.Cells = append(p.Cells, InvocationCell{Snapshot: Snapshot{s.Line(i), s.sim.At(i).State}, Here: i == s.view})
	}
	s.mark(p.Cells)
	for _, v := range s.sim.Variables(s.view, 0) {
		if strip, ok := s.strip(v); ok {
			p.Memory = append(p.Memory, strip)
		}
	}
	return p
}

// mark gives each cell the mark of its place: a number that stands for a letter and a colour. A
// place keeps its mark for the session, so that colours don't swap from one stop to the next. A new
// place avoids the colours of the others in the picture.
func (s *Session) mark(cells []InvocationCell) {
	shown := map[int]bool{}
	for _, c := range cells {
		if mark, ok := s.marks[c.Snapshot]; ok {
			shown[mark%len(colours)] = true
		}
	}
	for i, c := range cells {
		mark, ok := s.marks[c.Snapshot]
		if !ok {
			for len(shown) < len(colours) && shown[s.nextMark%len(colours)] {
				s.nextMark++
			}
			mark = s.nextMark
			s.marks[c.Snapshot], shown[mark%len(colours)] = mark, true
			s.nextMark++
		}
		cells[i].Mark = mark
	}
}

func (s *Session) strip(v sim.Variable) (MemoryStrip, bool) {
	written := v.Object.Space() == types.SpaceWorkgroup || v.Object.Space() == types.SpaceStorage && v.Object.Access().Writes()
	if !written {
		return MemoryStrip{}, false
	}
	count := max(s.elements(v), 1)
	strip := MemoryStrip{Name: v.Object.Name, Left: max(count-shownWriters, 0)}
	for i := range min(count, shownWriters) {
		by, ok := s.sim.Writer(v, i)
		switch {
		case !ok:
			strip.Writers = append(strip.Writers, Nobody)
		case !by.Here:
			strip.Writers = append(strip.Writers, Elsewhere)
		default:
			strip.Writers = append(strip.Writers, by.Local)
		}
	}
	return strip, true
}

// An InvocationGroup holds the invocations at the same place.
type InvocationGroup struct {
	Snapshot
	Mark        int
	Invocations []int
}

// Groups returns the invocations by place, in the order of the lines.
func (p Picture) Groups() []InvocationGroup {
	var groups []InvocationGroup
	for i, c := range p.Cells {
		at := slices.IndexFunc(groups, func(g InvocationGroup) bool { return g.Snapshot == c.Snapshot })
		if at < 0 {
			at = len(groups)
			groups = append(groups, InvocationGroup{Snapshot: c.Snapshot, Mark: c.Mark})
		}
		groups[at].Invocations = append(groups[at].Invocations, i)
	}
	sort.SliceStable(groups, func(i, j int) bool {
		a, b := groups[i], groups[j]
		return a.Line < b.Line || a.Line == b.Line && a.State < b.State
	})
	return groups
}

// String describes a group: invocations 0 to 16, 18 at line 14, waiting at the barrier.
func (g InvocationGroup) String() string {
	who, does := "invocation "+Ranges(g.Invocations), describe(sim.ProgramPoint{State: g.State}, g.Line)
	if len(g.Invocations) > 1 {
		who = "invocations " + Ranges(g.Invocations)
		does = strings.Replace(does, "has returned", "have returned", 1)
	}
	return who + " " + does
}

// Ranges formats ascending numbers: 0 to 16, 18.
func Ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		switch j - i {
		case 0:
			parts = append(parts, fmt.Sprint(numbers[i]))
		case 1:
			parts = append(parts, fmt.Sprint(numbers[i]), fmt.Sprint(numbers[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d to %d", numbers[i], numbers[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// Letter returns the letter of a mark.
func Letter(mark int) byte { return letters[mark%len(letters)] }

// Letter returns an invocation's letter, that of its place; the viewed invocation has a capital.
func (c InvocationCell) Letter() byte {
	if c.Here {
		return Letter(c.Mark) - ('a' - 'A')
	}
	return Letter(c.Mark)
}

// widest is the maximum number of cells in a row: a notebook between two panels has room for that
// many.
const widest = 32

// Text draws the picture as text: a letter for each invocation, and who wrote each element.
func (p Picture) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "workgroup %s\n", triple(p.Workgroup))
	row := min(max(p.Width, 1), widest)
	if row == 1 {
		row = min(len(p.Cells), widest)
	}
	for i, c := range p.Cells {
		if i%row == 0 {
			fmt.Fprintf(&b, "%s%5d  ", newline(i), i)
		}
		b.WriteByte(c.Letter())
	}
	b.WriteByte('\n')
	for _, g := range p.Groups() {
		fmt.Fprintf(&b, "%c  %s\n", Letter(g.Mark), g)
	}
	for _, m := range p.Memory {
		fmt.Fprintf(&b, "%s was written by %s\n", m.Name, m.String())
	}
	return strings.TrimRight(b.String(), "\n")
}

func newline(i int) string {
	if i == 0 {
		return ""
	}
	return "\n"
}

// String lists the writers: nobody [2 to 63]; invocation 0 [0]; invocation 1 [1].
func (s MemoryStrip) String() string {
	by := map[string][]int{}
	var order []string
	for i := 0; i < len(s.Writers); {
		n := s.rising(i)
		who := writerName(s.Writers[i])
		if n > 1 {
			who = fmt.Sprintf("invocations %d to %d, one element each", s.Writers[i], s.Writers[i]+n-1)
		}
		if by[who] == nil {
			order = append(order, who)
		}
		for range n {
			by[who] = append(by[who], i)
			i++
		}
	}
	const most = 6
	var parts []string
	for i, who := range order {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d others", len(order)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%s [%s]", who, Ranges(by[who])))
	}
	text := strings.Join(parts, "; ")
	if s.Left > 0 {
		text += fmt.Sprintf("; %d more elements", s.Left)
	}
	return text
}

// rising returns how many elements from i on were written by one invocation each, in order: at
// least three, or it returns 1.
func (s MemoryStrip) rising(i int) int {
	n := 1
	for s.Writers[i] >= 0 && i+n < len(s.Writers) && s.Writers[i+n] == s.Writers[i]+n {
		n++
	}
	if n < 3 {
		return 1
	}
	return n
}

func writerName(w int) string {
	switch w {
	case Nobody:
		return "nobody"
	case Elsewhere:
		return "an earlier workgroup"
	}
	return fmt.Sprintf("invocation %d", w)
}

// The colours of places, which stay distinct for colour-blind readers (Okabe and Ito, 2008).
var colours = []string{"#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#0072b2", "#d55e00", "#f0e442", "#999999"}

// Colour returns the colour of a mark.
func Colour(mark int) string { return colours[mark%len(colours)] }

// WriterColour returns the colour of an invocation as a writer. It grows brighter with the
// invocation's number, because the colours of places have another meaning.
func (p Picture) WriterColour(local int) string {
	return fmt.Sprintf("hsl(220,60%%,%d%%)", 22+66*local/max(len(p.Cells)-1, 1))
}

// HTML draws the picture for a notebook, with its legend. It uses no style sheet, script or SVG,
// because JupyterLab drops them.
func (p Picture) HTML() string {
	cells := make([]square, len(p.Cells))
	for i, c := range p.Cells {
		does := describe(sim.ProgramPoint{State: c.State}, c.Line)
		cells[i] = square{template.CSS(Colour(c.Mark)), string(c.Letter()), fmt.Sprintf("invocation %d %s", i, does), c.Here}
	}
	lines := []pictureLine{row("workgroup "+triple(p.Workgroup), cells, p.Width)}
	for _, g := range p.Groups() {
		place := square{Colour: template.CSS(Colour(g.Mark)), Letter: string(Letter(g.Mark))}
		lines = append(lines, pictureLine{Text: g.String(), Sample: place})
	}
	written := map[int]bool{}
	for _, m := range p.Memory {
		elements := make([]square, len(m.Writers))
		for i, w := range m.Writers {
			elements[i] = p.element(w)
			elements[i].Title = fmt.Sprintf("%s[%d]: %s", m.Name, i, writerName(w))
			written[min(w, 0)] = true
		}
		lines = append(lines, row(m.Name+" was written by "+m.String(), elements, 0))
	}
	return string(mark.Fill(pictureTemplate, append(lines, p.writers(written)...)))
}

//go:embed picture.html
var pictureSource string

var pictureTemplate = template.Must(template.New("picture").Parse(pictureSource))

// A pictureLine is a text above rows of squares, or beside a sample of what it explains.
type pictureLine struct {
	Text   string
	Rows   [][]square
	Sample square
}

// A square is a cell of the picture. The frame of the viewed invocation's squares is thick.
type square struct {
	Colour        template.CSS
	Letter, Title string
	Here          bool
}

// Ink returns the colour that is easier to read on the square's, black or white.
func (s square) Ink() template.CSS {
	if s.Colour == "#0072b2" {
		return "#ffffff"
	}
	return "#000000"
}

// row puts squares side by side, width of them per row; 0 or 1 means as many as fit.
func row(text string, squares []square, width int) pictureLine {
	if width <= 1 || width > widest {
		width = widest
	}
	return pictureLine{Text: text, Rows: slices.Collect(slices.Chunk(squares, width))}
}

// element returns the square of an element with a writer.
func (p Picture) element(writer int) square {
	switch writer {
	case Nobody:
		return square{Colour: "transparent"}
	case Elsewhere:
		return square{Colour: "rgba(128,128,128,0.5)"}
	}
	return square{Colour: template.CSS(p.WriterColour(writer)), Here: p.Cells[writer].Here}
}

// writers returns the legend of the elements' squares, for the kinds of writers that there are: an
// invocation counts as 0.
func (p Picture) writers(kinds map[int]bool) (lines []pictureLine) {
	last := len(p.Cells) - 1
	for _, known := range []struct {
		shown  bool
		writer int
		text   string
	}{
		{kinds[0], 0, "written by invocation 0"},
		{kinds[0] && last > 0, last, fmt.Sprintf("written by invocation %d; those in between have the colours in between", last)},
		{kinds[Elsewhere], Elsewhere, "written by an earlier workgroup"},
		{kinds[Nobody], Nobody, "not written yet"},
	} {
		if known.shown {
			lines = append(lines, pictureLine{Text: known.text, Sample: p.element(known.writer)})
		}
	}
	return lines
}
