package forward

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// A duePass is one of the passes that the network needs. Its last buffer is the one that it writes.
type duePass struct {
	name          string // as a verdict names it
	pipeline      *gpu.Pipeline
	buffers       []*gpu.Buffer
	roles         []string // the shader's names for the buffers
	columns, rows int      // what the workgroups have to cover
	aRow          bool     // a workgroup covers a whole row
}

// duePasses returns the passes of a right function, in their order.
func (l Layers) duePasses() (linear1, relu, linear2, softmax duePass) {
	linear := []string{"dims", "x", "w", "bias", "out"}
	return duePass{"the pass of `linear` that writes Hidden", l.Linear, []*gpu.Buffer{l.Dims1, l.X, l.W1, l.B1, l.Hidden}, linear, network.Hidden, l.Rows, false},
		duePass{"your pass of `relu`", l.Relu, []*gpu.Buffer{l.Hidden}, []string{"data"}, l.Rows * network.Hidden, 1, false},
		duePass{"the pass of `linear` that writes Out", l.Linear, []*gpu.Buffer{l.Dims2, l.Hidden, l.W2, l.B2, l.Out}, linear, network.Outputs, l.Rows, false},
		duePass{"your pass of `softmax`", l.Softmax, []*gpu.Buffer{l.Shape, l.Out}, []string{"dims", "data"}, network.Outputs, l.Rows, true}
}

// in returns the submitted pass that writes what the due one writes, or nil.
func (due duePass) in(submitted []gpu.Pass) *gpu.Pass {
	for i, p := range submitted {
		given := p.Buffers()
		if p.Pipeline() == due.pipeline && len(given) == len(due.buffers) && given[len(given)-1] == due.buffers[len(given)-1] {
			return &submitted[i]
		}
	}
	return nil
}

// otherBuffer returns the diagnosis of a pass that binds another buffer than the due one, or nil.
func (t *trial) otherBuffer(due duePass) *verdict.Diagnosis {
	pass := due.in(t.submitted)
	if pass == nil {
		return nil
	}
	for i, given := range pass.Buffers() {
		if name := t.nameOf(given); given != due.buffers[i] && name != "" {
			return &verdict.Diagnosis{
				Stage: verdict.StageCompare, Slug: "other-buffer", Message: fmt.Sprintf("%s gets %s as its `%s`.", english.Capital(due.name), name, due.roles[i]),
				Why: "A pass takes its buffers in the order of the shader's bindings.",
				Ask: fmt.Sprintf("What does this layer need as its `%s`?", due.roles[i]),
			}
		}
	}
	return nil
}

// nameOf returns the name of a buffer in Layers, or "".
func (t *trial) nameOf(b *gpu.Buffer) string {
	l := t.layers
	return map[*gpu.Buffer]string{
		l.Dims1: "Dims1", l.Dims2: "Dims2", l.Shape: "Shape", l.X: "X", l.W1: "W1", l.B1: "B1", l.W2: "W2", l.B2: "B2", l.Hidden: "Hidden", l.Out: "Out",
	}[b]
}

// tooShort returns the diagnosis of a pass with too few workgroups, or nil. wrong reports whether
// the value in a column of a row is wrong: all wrong values must be outside of what is covered.
func (t *trial) tooShort(due duePass, wrong func(row, column int) bool) *verdict.Diagnosis {
	pass := due.in(t.submitted)
	if pass == nil {
		return nil
	}
	groups, size := pass.Workgroups(), pass.Pipeline().WorkgroupSize()
	columns, rows := int(groups[0]*size[0]), int(groups[1]*size[1])
	if due.aRow {
		columns, rows = due.columns, int(groups[0])
	}
	if columns >= due.columns && rows >= due.rows {
		return nil
	}
	for row := range due.rows {
		for column := range due.columns {
			if row < rows && column < columns && wrong(row, column) {
				return nil
			}
		}
	}
	d := &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "dispatch-short", Ask: "How many workgroups does it take, if the division leaves a remainder?"}
	has := fmt.Sprintf("%s has %s × %d in x and y, of %d × %d invocations", english.Capital(due.name), english.Count(int(groups[0]), "workgroup", "workgroups"), groups[1], size[0], size[1])
	switch {
	case due.aRow:
		d.Message = fmt.Sprintf("%s has %s, and %s has %s.", english.Capital(due.name), english.Count(rows, "workgroup", "workgroups"), t.nameOf(due.buffers[len(due.buffers)-1]), english.Count(due.rows, "row", "rows"))
		d.Why, d.Ask = "`softmax` has one workgroup for each row.", "Which number of Layers says how many rows there are?"
	case due.rows == 1 && due.pipeline == t.layers.Relu:
		d.Message = fmt.Sprintf("%s has %s of %d: that covers the first %s of Hidden's %s values.",
			english.Capital(due.name), english.Count(int(groups[0]), "workgroup", "workgroups"), size[0], english.Thousands(columns), english.Thousands(due.columns))
		d.Why = "Each invocation changes one value, and the others stay as `linear` left them."
		d.Ask = "How many values does Hidden have for these Rows?"
	case columns < due.columns:
		d.Message = fmt.Sprintf("%s: that covers %d of %d columns.", has, columns, due.columns)
	default:
		d.Message = fmt.Sprintf("%s: that covers %d of %s.", has, rows, english.Count(due.rows, "row", "rows"))
	}
	return d
}
