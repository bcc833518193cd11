package cost

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/english"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/view"
)

// ShaderViews draws what the learner's shader for an exercise costs on a device; load reads that
// shader. If there is no shader yet, or it does not run, the views say what to do.
func ShaderViews(id, device string, load func(id string) (*shader.Source, error)) []view.View {
	return view.Drawn("What your shader costs", func() []view.View { return shaderViews(id, device, load) })
}

func shaderViews(id, device string, load func(string) (*shader.Source, error)) []view.View {
	nothing := func(err error) []view.View {
		return []view.View{view.Note{Mark: view.Bad, Title: "Nothing to show", Body: english.Sentence(err.Error())}}
	}
	on, err := FindDevice(device)
	if err != nil {
		return nothing(err)
	}
	e, err := course.Find(id)
	if err != nil {
		return nothing(err)
	}
	if e.IsOnHost() {
		return nothing(fmt.Errorf("%s is written in Go: only shaders can be counted", id))
	}
	source, err := load(id)
	if errors.Is(err, fs.ErrNotExist) {
		return []view.View{view.Note{Title: id + ": nothing to count yet", Body: "There is no shader of yours for " + id + " yet. Write it, run its cell, then run this one again."}}
	}
	if err != nil {
		return nothing(err)
	}
	c, err := Compare(context.Background(), e, source, on)
	if err != nil {
		return []view.View{view.Note{
			Mark: view.Bad, Title: id + ": your shader does not run yet", Body: english.Sentence(err.Error()) + "\nIts check cell says more. Fix it, then run this cell again.",
		}}
	}
	return c.Views()
}

// Views draws the comparison: the summary, the times, the roof, the totals, and the lines in a
// fold.
func (c *Comparison) Views() []view.View {
	views := []view.View{
		view.Note{Title: c.Yours.Exercise + ": what your shader costs", Body: c.Yours.Head() + ".\n" + strings.Join(c.Summary, "\n")},
		view.Bars{
			Title: "At least, in µs", Source: "on " + c.Device.Title, Labels: []string{"yours", "the reference", "the least"},
			Values: []float32{micro(c.Bound.Seconds), micro(c.ReferenceBound.Seconds), micro(c.Least)}, Highlight: []int{0},
		},
	}
	if roofline, ok := c.Roofline(); ok {
		views = append(views, roofline)
	}
	views = append(views, table(append([][]string{{"", "yours", "reference"}}, c.Rows()...)))
	return append(views, view.Fold{Title: "Every line", Views: []view.View{table(c.Yours.LineRows()), view.Note{Title: "What these counts assume", Body: Footnote}}})
}

// micro returns seconds as µs with three digits.
func micro(seconds float64) float32 {
	unit := math.Pow(10, math.Floor(math.Log10(seconds*1e6))-2)
	return float32(math.Round(seconds*1e6/unit) * unit)
}

func table(rows [][]string) view.View {
	t := view.Table{Headers: rows[0]}
	for _, row := range rows[1:] {
		values := make([]any, len(row))
		for i, cell := range row {
			values[i] = cell
		}
		t.Add(values...)
	}
	return t
}
