package printing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// shownRows is how many rows of a table are shown.
const shownRows = 32

// stripWidth is how many numbers of a line of invocations are side by side.
const stripWidth = 16

// openVisits is how many visits of a line in a loop are open; the others are folded, up to
// mostVisits.
const (
	openVisits = 2
	mostVisits = 64
)

// Views returns what the comments show: a strip or a grid for each visit if it is one number for
// each invocation, and otherwise a table.
func Views(all []*Printed) (views []view.View) {
	differ := false
	for _, p := range all {
		differ = differ || p.Differing > 0
		views = append(views, p.views()...)
		if remark := p.remark(); remark != "" {
			views = append(views, view.Note{Title: remark})
		}
	}
	if differ {
		views = append(views, view.Note{Title: "Rows differ where invocations race, and where WGSL leaves a choice: the order of atomics, rounding."})
	}
	return views
}

func (p *Printed) views() []view.View {
	switch {
	case p.Problem != "":
		return []view.View{view.Note{Title: p.line() + " prints nothing" + p.where(), Body: p.Problem}}
	case p.Differing > 0:
		return []view.View{p.differences()}
	case p.Device != nil && p.Device.Problem != "":
		alone := *p
		alone.Device = nil
		return append(alone.views(), p.Device.views()...)
	case len(p.Rows) == 0:
		return []view.View{view.Note{Title: p.title(), Body: strings.TrimPrefix(p.source()+"\nNo invocation reached this line with its condition true.", "\n")}}
	}
	if grids := p.grids(); grids != nil {
		return grids
	}
	return []view.View{p.table()}
}

// line begins a sentence with the line.
func (p *Printed) line() string {
	return english.Capital(findings.Region{File: p.File, Line: p.Line}.LineName())
}

func (p *Printed) title() string {
	return fmt.Sprintf("%s prints %s", p.line(), strings.Join(p.Expressions, ", "))
}

// source names the case and the device.
func (p *Printed) source() string { return strings.TrimPrefix(p.of+p.where(), " · ") }

// where names the device.
func (p *Printed) where() string {
	switch {
	case p.On != "":
		return " · on " + brief(p.On)
	case p.Device != nil && p.Problem == "" && p.Differing == 0:
		return " · the same on " + brief(p.Device.On)
	}
	return ""
}

// brief returns the name of a device without what its driver puts in brackets.
func brief(device string) string {
	name, _, _ := strings.Cut(device, " (")
	return name
}

// differences lists the rows that differ between the simulator and a device, side by side.
func (p *Printed) differences() view.View {
	pairs := p.pairs()
	t := view.Table{
		Caption: fmt.Sprintf("%s · %s of %s rows differ on %s", p.title(), english.Thousands(p.Differing), english.Thousands(len(pairs)), brief(p.Device.On)),
		Source:  p.of,
		Headers: []string{"invocation"},
	}
	inLoop := slices.ContainsFunc(pairs, func(p rowPair) bool { return p.row().visit > 0 })
	if inLoop {
		t.Headers = append(t.Headers, "visit")
	}
	for _, e := range p.Expressions {
		t.Headers = append(t.Headers, e+" in the simulator", e+" on the device")
	}
	axes := max(p.axes(), p.Device.axes())
	for _, pair := range pairs {
		if !pair.differs() {
			continue
		}
		if len(t.Rows) == shownRows {
			t.Add(fmt.Sprintf("… %s more", english.Thousands(p.Differing-shownRows)))
			break
		}
		cells := []any{pair.row().name(axes)}
		if inLoop {
			cells = append(cells, strconv.Itoa(pair.row().visit+1))
		}
		for i := range p.Expressions {
			cells = append(cells, pair.simulated.cell(i), pair.device.cell(i))
		}
		t.Add(cells...)
	}
	return t
}

// cell returns a value, or a dash for a row that isn't there.
func (r *Row) cell(i int) string {
	if r == nil {
		return "–"
	}
	return r.Values[i]
}

// name returns components of the invocation's id.
func (r *Row) name(axes int) string {
	var id []string
	for axis := range axes {
		id = append(id, strconv.Itoa(int(r.Invocation[axis])))
	}
	return strings.Join(id, ", ")
}

// remark says what the view leaves out.
func (p *Printed) remark() string {
	switch {
	case p.Cut:
		return p.line() + ": the run was too long, so only its beginning is shown."
	case p.LeftOut > 0:
		return fmt.Sprintf("%s: %s more rows are left out. A condition picks some: `// print if id.x == 3u: …`", p.line(), english.Thousands(p.LeftOut))
	}
	return ""
}

// table lists the rows by invocation.
func (p *Printed) table() view.View {
	axes := p.axes()
	t := view.Table{Caption: p.title(), Source: p.source(), Headers: append([]string{"invocation"}, p.Expressions...)}
	for i, row := range p.Rows {
		if i == shownRows {
			t.Add(fmt.Sprintf("… %s more", english.Thousands(len(p.Rows)-shownRows)))
			break
		}
		cells := []any{row.name(axes)}
		for _, v := range row.Values {
			cells = append(cells, v)
		}
		t.Add(cells...)
	}
	return t
}

// axes returns how many components of an invocation's id the rows need.
func (p *Printed) axes() int {
	axes := 1
	for _, row := range p.Rows {
		for axis := 1; axis < 3; axis++ {
			if row.Invocation[axis] > 0 {
				axes = max(axes, axis+1)
			}
		}
	}
	return axes
}

// grids draws one number for each invocation: a strip or, if they are in rows, a grid. A line in a
// loop has one for each visit. Invocations that printed nothing leave a gap. It returns nil if a
// table shows more.
func (p *Printed) grids() (grids []view.View) {
	if len(p.Expressions) != 1 || len(p.Rows) < 2 || p.axes() > 2 || p.LeftOut > 0 {
		return nil
	}
	visits := 1 + slices.MaxFunc(p.Rows, func(a, b Row) int { return cmp.Compare(a.visit, b.visit) }).visit
	if visits > mostVisits || visits == len(p.Rows) { // or a single invocation's
		return nil
	}
	at := make([][]Row, visits)
	for _, row := range p.Rows {
		at[row.visit] = append(at[row.visit], row)
	}
	for i, rows := range at {
		title := p.title()
		if visits > 1 {
			title += fmt.Sprintf(" · visit %d of %d", i+1, visits)
		}
		grid, ok := p.grid(title, rows)
		if !ok {
			return nil
		}
		grids = append(grids, grid)
	}
	if visits <= openVisits+1 {
		return grids
	}
	folded := view.Fold{Title: fmt.Sprintf("%s: visits %d to %d", p.line(), openVisits+1, visits), Views: grids[openVisits:]}
	return append(grids[:openVisits:openVisits], folded)
}

// grid draws the numbers of one visit. All visits have the same places.
func (p *Printed) grid(title string, visited []Row) (h view.HeatMap, ok bool) {
	columns, rows := 0, 0
	for _, row := range p.Rows {
		columns, rows = max(columns, int(row.Invocation[0])+1), max(rows, int(row.Invocation[1])+1)
	}
	wide, axes := columns, p.axes()
	if axes == 1 && columns > stripWidth {
		wide, rows = stripWidth, (columns+stripWidth-1)/stripWidth
	}
	if wide*rows > mostRows {
		return h, false
	}
	h = view.HeatMap{Title: title, Source: p.source(), Rows: rows, Cols: wide, Values: make([]float32, wide*rows), Absent: make([]bool, wide*rows)}
	for i := range h.Values {
		h.Values[i], h.Absent[i] = float32(math.NaN()), true
	}
	for _, row := range visited {
		at := int(row.Invocation[1])*wide + int(row.Invocation[0])
		n, isNumber := number(row)
		if !isNumber {
			return h, false
		}
		h.Values[at], h.Absent[at] = n, false
	}
	if axes == 1 {
		for r := range rows {
			h.RowLabels = append(h.RowLabels, strconv.Itoa(r*wide))
		}
		if rows > 1 {
			for c := range wide {
				h.ColLabels = append(h.ColLabels, "+"+strconv.Itoa(c))
			}
		}
	}
	return h, true
}

// number returns the value of a row with one, if a picture can show it as it is.
func number(row Row) (float32, bool) {
	v := row.numbers[0]
	scalar, is := v.Type.(*types.Scalar)
	switch {
	case row.outside, !is, scalar == types.Bool:
		return 0, false
	case scalar.Float():
		return float32(v.Float()), true
	}
	n := v.Int()
	return float32(n), max(n, -n) < 1e6
}
