package cost

import (
	"fmt"
	"math"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/view"
)

// Views draws the comparison: the summary, the counts, the times that follow from them, the roof,
// and in folds the totals and the lines.
func (c *Comparison) Views() []view.View {
	views := []view.View{
		view.Note{Title: c.Yours.Exercise + ": what your shader costs", Body: c.Yours.Head() + ".\n" + strings.Join(c.Summary, "\n")},
	}
	head := []string{"", "yours", "reference"}
	if c.Reference == nil {
		head = head[:2]
	} else {
		views = append(views, c.besideReference()...)
	}
	views = append(views, view.Fold{Title: "All counts", Views: []view.View{table(append([][]string{head}, c.Rows()...))}})
	return append(views, view.Fold{Title: "Every line", Views: []view.View{table(c.Yours.LineRows()), view.Note{Title: "What these counts assume", Body: Footnote}}})
}

// besideReference draws the counts beside those of the reference.
func (c *Comparison) besideReference() []view.View {
	views := c.bars()
	views = append(views, bars("At least, in µs", "on "+c.Device.Title, "the least", c.Bound.Seconds*1e6, c.ReferenceBound.Seconds*1e6, c.Least*1e6))
	if said := c.hidden(); said != "" {
		views = append(views, view.Note{Title: "The same time, other counts", Body: said})
	}
	if roofline, ok := c.Roofline(); ok {
		views = append(views, roofline)
	}
	return views
}

// idling is from which ratio on steps in which invocations idle are worth a picture.
const idling = 1.05

// bars draws the counts that a device's limits hide: bytes, turns of the banks, steps of groups.
func (c *Comparison) bars() (views []view.View) {
	yours, reference := &c.Yours.Total, &c.Reference.Total
	if yours.Moved > 0 {
		views = append(views, bars("Moved by 32 neighbours together, in MB", "in sectors of 32 bytes", "yours, side by side",
			yours.Moved/1e6, reference.Moved/1e6, yours.Least/1e6))
	}
	if yours.Turns+reference.Turns > 0 {
		views = append(views, bars("Turns of the banks, in thousands", "32 banks", "yours, without conflicts",
			yours.Turns/1e3, reference.Turns/1e3, yours.LeastTurns/1e3))
	}
	if max(yours.GroupSteps, reference.GroupSteps) < idling*yours.LeastSteps {
		return views
	}
	return append(views, bars("Steps of groups of 32, in thousands", "a group takes a step if one of its invocations does", "yours, if nothing idled",
		yours.GroupSteps/1e3, reference.GroupSteps/1e3, yours.LeastSteps/1e3))
}

// bars draws a count of yours, of the reference, and the least.
func bars(title, source, least string, counts ...float64) view.View {
	values := make([]float32, len(counts))
	for i, n := range counts {
		values[i] = threeDigits(n)
	}
	return view.Bars{Title: title, Source: source, Labels: []string{"yours", "the reference", least}, Values: values, Highlight: []int{0}}
}

// hidden says which counts differ though the times don't, and why; "" if none does.
func (c *Comparison) hidden() string {
	const alike = 1.1
	if ratio := c.Bound.Seconds / c.ReferenceBound.Seconds; ratio > alike || ratio < 1/alike {
		return ""
	}
	yours, reference := &c.Yours.Total, &c.Reference.Total
	var other []string
	for _, of := range []struct {
		name             string
		yours, reference float64
	}{
		{"bytes moved by neighbours", yours.Moved, reference.Moved},
		{"turns of the banks", yours.Turns, reference.Turns},
		{"steps of groups", yours.GroupSteps, reference.GroupSteps},
	} {
		if of.yours >= twice*of.reference && of.reference > 0 {
			other = append(other, fmt.Sprintf("%s times as many %s", short(of.yours/of.reference), of.name))
		}
	}
	if len(other) == 0 {
		return ""
	}
	said, mine, its := fmt.Sprintf("Yours has %s as the reference.", strings.Join(other, " and ")), c.Bound.Limits[0].Name, c.ReferenceBound.Limits[0].Name
	if mine == its {
		return fmt.Sprintf("%s But %s takes longer than that in both, and a GPU works on all of it at once. Where %s is faster, you would see the difference.", said, mine, mine)
	}
	return fmt.Sprintf("%s It is limited by %s, and the reference by %s, which takes as long here. Where %s is faster, you would see the difference.", said, mine, its, its)
}

// threeDigits rounds a number to three digits.
func threeDigits(n float64) float32 {
	if n <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(n))-2)
	return float32(math.Round(n/unit) * unit)
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
