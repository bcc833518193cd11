package course

import (
	"path"
	"slices"
	"strings"
)

// A Lesson is one notebook of the course.
type Lesson struct {
	Number   int
	Title    string // a few words
	Notebook string // its file in notebooks/
}

// Lessons lists the notebooks in the order of the course.
var Lessons = []Lesson{
	{1, "Is the GPU alive?", "01-bootstrap.ipynb"},
	{2, "Add two vectors", "02-add.ipynb"},
	{3, "Multiply matrices", "03-matmul.ipynb"},
	{4, "ReLU: every element alone", "04-relu.ipynb"},
	{5, "Softmax: every element depends on all", "05-softmax.ipynb"},
	{6, "The forward pass", "06-forward.ipynb"},
	{7, "Real weights, real digits", "07-digits.ipynb"},
	{8, "Draw", "08-draw.ipynb"},
}

// Beyond lists the lessons after those, an optional part: their points don't count in the points of
// the course.
var Beyond = []Lesson{
	{9, "Frame it", "beyond/frame.ipynb"},
	{10, "Train it yourself", "beyond/train.ipynb"},
	{11, "Why is it slow?", "beyond/slow.ipynb"},
	{12, "Convolve", "beyond/convolve.ipynb"},
	{13, "Attend", "beyond/attend.ipynb"},
	{14, "Eight bits", "beyond/eight-bits.ipynb"},
}

// ownLessons returns the lessons of the course: the eight, and those beyond.
func ownLessons() []Lesson { return slices.Concat(Lessons, Beyond) }

// IsBeyond reports whether the lesson belongs to the optional part of the course.
func (l Lesson) IsBeyond() bool {
	return l.Number > len(Lessons) && l.Number <= len(ownLessons())
}

// Part returns the title of the part of the course that begins with the lesson, if it needs one.
func (l Lesson) Part() string {
	switch l.Number {
	case len(Lessons) + 1:
		return "Beyond the eight"
	case len(ownLessons()) + 1:
		return "More exercises"
	}
	return ""
}

// Name returns the name of the lesson's notebook, without its folder and .ipynb.
func (l Lesson) Name() string { return strings.TrimSuffix(path.Base(l.Notebook), ".ipynb") }

// Exercises returns the exercises of a lesson, in the order of its notebook.
func (l Lesson) Exercises() []*Exercise {
	var own []*Exercise
	for _, e := range all() {
		if e.Lesson == l.Number {
			own = append(own, e)
		}
	}
	for _, e := range OnHost {
		if e.Lesson == l.Number {
			own = append(own, e)
		}
	}
	slices.SortStableFunc(own, inCourseOrder)
	return own
}
