package reasons

import (
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/sim"
)

// The most rows and columns in a picture of an input.
const (
	windowRows    = 6
	windowColumns = 16
)

// pictures returns a picture of each buffer that the learner's shader uses in another way than a
// right one.
func (d *difference) pictures(e *course.Exercise) []verdict.Inputs {
	if d.read || d.touched || len(d.doubted) > 0 {
		return nil // the sentence says that it reads the right ones, or a right shader may use others
	}
	var all []verdict.Inputs
	for i, b := range d.Buffers {
		differs := func(w sim.Word) bool { return w.Binding == i }
		if b.IsUniform() || b.Len() == 1 || e.Bindings[i].Components() > 1 || !slices.ContainsFunc(d.missing, differs) && !slices.ContainsFunc(d.surplus, differs) {
			continue
		}
		if in, ok := d.picture(i, e.Bindings[i].Name, e.Bindings[e.Output].WordName(d.element)); ok {
			all = append(all, in)
		}
	}
	return all
}

// picture shows the window around the elements that either shader uses; false if it is too large.
func (d *difference) picture(binding int, name, element string) (verdict.Inputs, bool) {
	columns := windowColumns
	if binding < len(d.Case.Columns) && d.Case.Columns[binding] > 0 {
		columns = d.Case.Columns[binding]
	}
	length := d.Buffers[binding].Len()
	top, left, bottom, right := length, columns, 0, 0
	for _, w := range slices.Concat(d.uses, d.missing) {
		if w.Binding == binding {
			row, column := w.Index/columns, w.Index%columns
			top, left, bottom, right = min(top, row), min(left, column), max(bottom, row), max(right, column)
		}
	}
	if bottom-top >= windowRows || right-left >= windowColumns {
		return verdict.Inputs{}, false
	}
	top, bottom = widen(top, bottom, (length-1)/columns, windowRows)
	left, right = widen(left, right, min(columns, length)-1, windowColumns)
	in := verdict.Inputs{For: element, Name: name, Columns: right - left + 1}
	for row := top; row <= bottom; row++ {
		for column := left; column <= right && row*columns+column < length; column++ {
			w := sim.Word{Binding: binding, Index: row*columns + column}
			used := slices.Contains(d.uses, w)
			wanted := slices.Contains(d.missing, w) || used && !slices.Contains(d.surplus, w)
			in.Cells = append(in.Cells, verdict.InputCell{Index: w.Index, Wanted: wanted, Used: used})
		}
	}
	return in, true
}

// widen extends a range to a whole window if there are so many, with the range inside.
func widen(first, last, most, window int) (from, to int) {
	from = max(0, min(first, most-window+1))
	from = max(from, last-window+1)
	return from, min(most, from+window-1)
}
