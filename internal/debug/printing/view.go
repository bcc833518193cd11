package printing

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/english"
	"github.com/wgslab/wgslab/internal/view"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/prints"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// shownRows is how many rows of a table are shown.
const shownRows = 32

// stripWidth is how many numbers of a line of invocations are side by side.
const stripWidth = 16

// Views returns what the comments show: a strip or a grid if it is one number for each invocation,
// and otherwise a table.
func Views(all []*Printed) (views []view.View) {
	for _, p := range all {
		views = append(views, p.view())
		if remark := p.remark(); remark != "" {
			views = append(views, view.Note{Title: remark})
		}
	}
	return views
}

func (p *Printed) view() view.View {
	if p.Problem != "" {
		return view.Note{Title: fmt.Sprintf("Line %d prints nothing", p.Line), Body: p.Problem}
	}
	if len(p.Rows) == 0 {
		return view.Note{Title: p.title(), Body: "No invocation reached this line with its condition true."}
	}
	if grid, ok := p.grid(); ok {
		return grid
	}
	return p.table()
}

func (p *Printed) title() string {
	text := fmt.Sprintf("Line %d prints %s", p.Line, strings.Join(p.Expressions, ", "))
	if p.of != "" {
		text += " · " + p.of
	}
	return text
}

// remark says what the view leaves out.
func (p *Printed) remark() string {
	switch {
	case p.Cut:
		return fmt.Sprintf("Line %d: the run was too long, so only its beginning is shown.", p.Line)
	case p.LeftOut > 0:
		return fmt.Sprintf("Line %d: %s more rows are left out. A condition picks some: `// print if id.x == 3u: …`", p.Line, english.Thousands(p.LeftOut))
	}
	return ""
}

// table lists the rows by invocation.
func (p *Printed) table() view.View {
	axes := p.axes()
	t := view.Table{Caption: p.title(), Headers: append([]string{"invocation"}, p.Expressions...)}
	for i, row := range p.Rows {
		if i == shownRows {
			t.Add(fmt.Sprintf("… %s more", english.Thousands(len(p.Rows)-shownRows)))
			break
		}
		var id []string
		for axis := range axes {
			id = append(id, strconv.Itoa(int(row.Invocation[axis])))
		}
		cells := []any{strings.Join(id, ", ")}
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

// grid draws one number for each invocation, in a strip or, if they are in rows, in a grid.
// Invocations that printed nothing leave a gap.
func (p *Printed) grid() (h view.HeatMap, ok bool) {
	axes := p.axes()
	if len(p.Expressions) != 1 || len(p.Rows) < 2 || axes > 2 || p.LeftOut > 0 {
		return h, false
	}
	columns, rows := 0, 0
	for _, row := range p.Rows {
		columns, rows = max(columns, int(row.Invocation[0])+1), max(rows, int(row.Invocation[1])+1)
	}
	wide := columns
	if axes == 1 && columns > stripWidth {
		wide, rows = stripWidth, (columns+stripWidth-1)/stripWidth
	}
	if wide*rows > mostRows {
		return h, false
	}
	h = view.HeatMap{Title: p.title(), Rows: rows, Cols: wide, Values: make([]float32, wide*rows), Absent: make([]bool, wide*rows)}
	for i := range h.Values {
		h.Values[i], h.Absent[i] = float32(math.NaN()), true
	}
	for _, row := range p.Rows {
		at := int(row.Invocation[1])*wide + int(row.Invocation[0])
		n, isNumber := number(row)
		if !isNumber || !h.Absent[at] {
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

// problems returns the first problem of each comment that has one, by where the comment starts. The
// findings are in the order of the comments.
func problems(comments []prints.Print, list []*findings.Finding) map[int32]string {
	wrong := map[int32]string{}
	for _, c := range comments {
		for len(list) > 0 && c.Span.Contains(list[0].Span) {
			if _, known := wrong[c.Span.Start]; !known {
				wrong[c.Span.Start] = strings.TrimSpace(list[0].Message + " " + list[0].Hint)
			}
			list = list[1:]
		}
	}
	return wrong
}
