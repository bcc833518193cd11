package evidence

import (
	"slices"

	"github.com/wgslab/wgslab/internal/course"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A CaseRun is the result of one case.
type CaseRun struct {
	course.Case
	Extra     bool           // the case is not one of the exercise's own
	Compared                 // in the output that the verdict is about
	Also      []Compared     // in the other outputs, as in Exercise.Also
	Seen      *shader.Result // by the watcher; nil if it did not watch
	Reference uint64         // the steps of the reference
}

// Compared is what a case left in one output, and what it should have left.
type Compared struct {
	Want, Got  course.Buffer
	Allowed    course.Tolerance // how far Got may be from Want
	Difference course.Difference
}

// All returns what the case left in each output.
func (o *CaseRun) All() []Compared { return append([]Compared{o.Compared}, o.Also...) }

// CountWrong counts the wrong elements of all outputs.
func (o *CaseRun) CountWrong() (n int) {
	for _, l := range o.All() {
		n += l.Difference.Wrong
	}
	return n
}

// Receive compares what a run left with what the reference does.
func (o *CaseRun) Receive(result shader.Result, x *RightOutput) {
	o.Reference, o.Also = x.Steps, nil
	o.Compared = received(result.Left, x.Right)
	for i, l := range result.Also {
		o.Also = append(o.Also, received(l, x.Also[i]))
	}
}

func received(l shader.Left, x Right) Compared {
	return Compared{Want: x.Output, Got: l.Output, Allowed: x.Allowed, Difference: Compare(l.Output, x.Output, x.Allowed)}
}

// Turn puts Also[i] in the place of the output.
func (o *CaseRun) Turn(i int) {
	o.Compared, o.Also[i] = o.Also[i], o.Compared
	if o.Seen != nil {
		seen := *o.Seen
		seen.Also = slices.Clone(seen.Also)
		seen.Left, seen.Also[i] = seen.Also[i], seen.Left
		o.Seen = &seen
	}
}

// Compare compares what a run left in an output with what it should have left.
func Compare(got, want course.Buffer, allowed course.Tolerance) course.Difference {
	switch want.Element {
	case shader.U32:
		return course.Compare(got.Uints(), want.Uints(), allowed)
	case shader.I32:
		return course.Compare(got.Ints(), want.Ints(), allowed)
	}
	return course.Compare(got.Floats(), want.Floats(), allowed)
}
