package why

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/networks/mnist"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// listedCauses is how many causes of a number are listed.
const listedCauses = 3

// Title names the digit, its probability, and what it is for an empty sheet.
func (a *Explanation) Title() string {
	return fmt.Sprintf("Why %s? %s gives it %s. For an empty sheet it would be %s.", a.Read, english.Capital(a.Network), percent(a.From.Value), percent(a.From.Empty))
}

func percent(share float32) string { return fmt.Sprintf("%.1f %%", 100*share) }

// A Told step is the strongest number that a pass wrote on the way, in words.
type Told struct {
	Title string   `json:"title"` // softmax wrote out[7] = 0.998
	Code  []string `json:"code"`  // the lines that read and wrote, with their numbers
	Body  []string `json:"body"`  // what the number was made of
}

// Told tells the way, from the last pass to the first.
func (a *Explanation) Told() (all []Told) {
	for _, s := range a.Steps {
		f := s.Followed[0]
		all = append(all, Told{fmt.Sprintf("%s wrote %s", s.Title, valued(f.Address, f.Value)), code(s, f), body(s, f)})
	}
	return all
}

// code returns the lines that read a number's causes and that wrote it.
func code(s PassStep, f Followed) (lines []string) {
	numbers := []int{f.Made.Span.Line}
	for _, c := range f.Causes[:min(listedCauses, len(f.Causes))] {
		numbers = append(numbers, c.Read.Span.Line)
	}
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		lines = append(lines, fmt.Sprintf("%3d  %s", n, s.Line(n)))
	}
	return lines
}

func body(s PassStep, f Followed) []string {
	lines := []string{read(f)}
	for _, c := range f.Causes[:min(listedCauses, len(f.Causes))] {
		lines = append(lines, fmt.Sprintf("· %s. Without it (%s, as for an empty sheet) the result would be %s.", valued(c.Address, c.Value), number(c.Empty), number(c.Without)))
	}
	if n := len(s.Followed) - 1; n > 0 {
		lines = append(lines, fmt.Sprintf("Followed in the same way: %d more numbers of this pass.", n))
	}
	return lines
}

// read says how many numbers an invocation read, and how many of them count.
func read(f Followed) string {
	switch n := len(f.Causes); {
	case f.Reads == 1:
		return "It read one number:"
	case n == 0:
		return fmt.Sprintf("It read %s numbers. None of them alone changes the result.", english.Thousands(f.Reads))
	case n == 1:
		return fmt.Sprintf("It read %s numbers. One counts:", english.Thousands(f.Reads))
	default:
		return fmt.Sprintf("It read %s numbers. %d count, and these most:", english.Thousands(f.Reads), n)
	}
}

// valued returns an element with its value. The input's is a pixel.
func valued(e Address, value float32) string {
	if e.Buffer.Name == plan.Input {
		return fmt.Sprintf("%s = %s (row %d, column %d)", e, number(value), e.Index/mnist.Side, e.Index%mnist.Side)
	}
	return fmt.Sprintf("%s = %s", e, number(value))
}

func number(x float32) string {
	if x > -0.00005 && x < 0.00005 {
		return "0.0000"
	}
	return fmt.Sprintf("%.4g", x)
}

// Map returns the picture of the pixels that counted: for the digit or against it.
func (a *Explanation) Map() view.HeatMap {
	return view.HeatMap{
		Title: fmt.Sprintf("The pixels that counted: orange for %s, blue against it", a.Read), Rows: mnist.Side, Cols: mnist.Side, Values: a.Input[:network.Inputs],
	}
}

// Views returns the answer for a cell.
func (a *Explanation) Views() []view.View {
	way := view.Fold{Title: "The way back, from the last pass to the first: the strongest number in each"}
	for _, t := range a.Told() {
		way.Views = append(way.Views, view.Note{Title: t.Title, Code: strings.Join(t.Code, "\n"), Body: strings.Join(t.Body, "\n")})
	}
	return []view.View{a.Map(), view.Note{Title: a.Title()}, way}
}
