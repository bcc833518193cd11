package debug

import (
	"fmt"
	"html"
	"slices"
	"sort"
	"strings"

	"github.com/wgslab/wgslab/internal/sim"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Picture shows the workgroup at one moment: where its invocations are, and who last wrote each
// element of its memory.
type Picture struct {
	Workgroup [3]uint32
	Width     int // invocations in a row: the workgroup's size in x
	Cells     []Cell
	Memory    []Strip
}

// A Cell is an invocation.
type Cell struct {
	Line  int
	State sim.State
	Here  bool // the viewed invocation
}

// A Strip is a variable in workgroup memory or a buffer that the shader writes, element by element.
type Strip struct {
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
		p.Cells = append(p.Cells, Cell{s.Line(i), s.sim.At(i).State, i == s.view})
	}
	for _, v := range s.sim.Variables(s.view, 0) {
		if strip, ok := s.strip(v); ok {
			p.Memory = append(p.Memory, strip)
		}
	}
	return p
}

func (s *Session) strip(v sim.Variable) (Strip, bool) {
	written := v.Object.Space() == types.SpaceWorkgroup || v.Object.Space() == types.SpaceStorage && v.Object.Access().Writes()
	if !written {
		return Strip{}, false
	}
	count := max(s.elements(v), 1)
	strip := Strip{Name: v.Object.Name, Left: max(count-shownWriters, 0)}
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

// A Group holds the invocations at the same place.
type Group struct {
	Line        int
	State       sim.State
	Invocations []int
}

// Groups returns the invocations by place, in the order of the lines.
func (p Picture) Groups() []Group {
	var groups []Group
	for i, c := range p.Cells {
		at := slices.IndexFunc(groups, func(g Group) bool { return g.Line == c.Line && g.State == c.State })
		if at < 0 {
			at = len(groups)
			groups = append(groups, Group{Line: c.Line, State: c.State})
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
func (g Group) String() string {
	who, does := "invocation "+Ranges(g.Invocations), describe(sim.Position{State: g.State}, g.Line)
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

// Letters are the groups' letters in a text picture, in the order of the groups.
const Letters = "abcdefghijklmnopqrstuvwxyz"

// Letter returns an invocation's letter, that of its group; the viewed invocation has a capital.
func (p Picture) Letter(groups []Group, local int) byte {
	c := p.Cells[local]
	i := slices.IndexFunc(groups, func(g Group) bool { return g.Line == c.Line && g.State == c.State })
	letter := Letters[min(i, len(Letters)-1)]
	if c.Here {
		letter -= 'a' - 'A'
	}
	return letter
}

// widest is the maximum number of cells in a row: a notebook between two panels has room for that many.
const widest = 32

// Text draws the picture as text: a letter for each invocation, and who wrote each element.
func (p Picture) Text() string {
	var b strings.Builder
	groups := p.Groups()
	fmt.Fprintf(&b, "workgroup %s\n", triple(p.Workgroup))
	row := min(max(p.Width, 1), widest)
	if row == 1 {
		row = min(len(p.Cells), widest)
	}
	for i := range p.Cells {
		if i%row == 0 {
			fmt.Fprintf(&b, "%s%5d  ", newline(i), i)
		}
		b.WriteByte(p.Letter(groups, i))
	}
	b.WriteByte('\n')
	for i, g := range groups {
		fmt.Fprintf(&b, "%c  %s\n", Letters[min(i, len(Letters)-1)], g)
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
func (s Strip) String() string {
	by := map[int][]int{}
	var order []int
	for i, w := range s.Writers {
		if by[w] == nil {
			order = append(order, w)
		}
		by[w] = append(by[w], i)
	}
	const most = 6
	var parts []string
	for i, w := range order {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d others", len(order)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%s [%s]", writerName(w), Ranges(by[w])))
	}
	text := strings.Join(parts, "; ")
	if s.Left > 0 {
		text += fmt.Sprintf("; %d more elements", s.Left)
	}
	return text
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

// The colours of groups and writers, which stay distinct for colour-blind readers (Okabe and Ito, 2008).
var colours = []string{"#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#0072b2", "#d55e00", "#f0e442", "#999999"}

// Colour returns the colour of the nth group.
func Colour(n int) string { return colours[n%len(colours)] }

// HTML draws the picture for a notebook or a page. It uses no style sheet, script or SVG, because
// JupyterLab drops them. The text picture follows below, for screen readers.
func (p Picture) HTML() string {
	var b strings.Builder
	groups := p.Groups()
	b.WriteString(`<div role="img" aria-label="` + html.EscapeString(p.Text()) + `">`)
	row(&b, "workgroup "+triple(p.Workgroup), len(p.Cells), p.Width, func(i int) (colour, title string, here bool) {
		c := p.Cells[i]
		n := slices.IndexFunc(groups, func(g Group) bool { return g.Line == c.Line && g.State == c.State })
		return Colour(n), fmt.Sprintf("invocation %d %s", i, describe(sim.Position{State: c.State}, c.Line)), c.Here
	})
	for _, m := range p.Memory {
		row(&b, m.Name, len(m.Writers), 0, func(i int) (colour, title string, here bool) {
			w := m.Writers[i]
			title = fmt.Sprintf("%s[%d]: %s", m.Name, i, writerName(w))
			switch w {
			case Nobody:
				return "transparent", title, false
			case Elsewhere:
				return "rgba(128,128,128,0.5)", title, false
			}
			return Colour(w), title, p.Cells[w].Here
		})
	}
	b.WriteString("</div><pre>" + html.EscapeString(p.Text()) + "</pre>")
	return b.String()
}

// row draws cells side by side, width of them per line; 0 or 1 means as many as fit.
func row(b *strings.Builder, name string, count, width int, cell func(i int) (colour, title string, here bool)) {
	if width <= 1 || width > widest {
		width = widest
	}
	fmt.Fprintf(b, `<div style="margin:4px 0"><div>%s</div><div style="line-height:0">`, html.EscapeString(name))
	for i := range count {
		if i > 0 && i%width == 0 {
			b.WriteString("<br>")
		}
		colour, title, here := cell(i)
		border := "1px solid rgba(128,128,128,0.6)"
		if here {
			border = "2px solid currentColor"
		}
		fmt.Fprintf(b, `<span title="%s" style="display:inline-block;box-sizing:border-box;width:14px;height:14px;background:%s;border:%s"></span>`,
			html.EscapeString(title), colour, border)
	}
	b.WriteString("</div></div>")
}
