package cost

import (
	"github.com/wgslab/wgslab/internal/ground/view"
)

// A Sequence holds the costs of dispatches that run one after the other.
type Sequence []*DispatchCost

// On returns how long they take on a device at least, and what limits the longest.
func (p Sequence) On(d GPU) (seconds float64, limit string) {
	longest := 0.0
	for _, r := range p {
		b := r.On(d)
		seconds += b.Seconds
		if b.Seconds > longest {
			longest, limit = b.Seconds, b.Limits[0].Name
		}
	}
	return seconds, limit
}

// sum adds up a count of all passes.
func (p Sequence) sum(of func(*Total) float64) (total float64) {
	for _, r := range p {
		total += of(&r.Total)
	}
	return total
}

// Beside draws how long two ways take at least on each device of the table, with what limits them,
// and the counts of both. left and right name them.
func Beside(left, right string, first, second Sequence) []view.View {
	times := view.Table{Caption: "at least, and what decides", Headers: []string{"", left, right, "times as long"}}
	for _, d := range Devices {
		a, why := first.On(d)
		b, because := second.On(d)
		times.Add(d.Title, Duration(a)+", "+why, Duration(b)+", "+because, short(a/b))
	}
	counts := view.Table{Caption: "the counts, the same on each device", Headers: []string{"", left, right}}
	for _, row := range []struct {
		name string
		of   func(*Total) float64
		text func(float64) string
	}{
		{"moved by 32 neighbours together", func(t *Total) float64 { return t.Moved }, bytesText},
		{"each byte once", func(t *Total) float64 { return t.Once }, bytesText},
		{"turns of the banks", func(t *Total) float64 { return t.Turns }, short},
		{"steps of groups of 32", func(t *Total) float64 { return t.GroupSteps }, short},
		{"barriers", func(t *Total) float64 { return t.Barriers }, short},
	} {
		if a, b := first.sum(row.of), second.sum(row.of); a+b > 0 {
			counts.Add(row.name, row.text(a), row.text(b))
		}
	}
	return []view.View{times, counts}
}

// UnderOneRoof plots shaders below the roof of a device, by the bytes that their workgroups fetch
// from the shared cache. One without arithmetic is left out.
func UnderOneRoof(on GPU, names []string, shaders []*DispatchCost) view.Roofline {
	r := roof(on)
	r.Title = "Your shaders under the roof"
	for i, c := range shaders {
		if p := c.point(names[i], c.On(on).Seconds); p.Operations > 0 && p.Bytes > 0 {
			r.Points = append(r.Points, p)
		}
	}
	return r
}
