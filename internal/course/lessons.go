package course

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A Lesson is one notebook of the course. Two notebooks of one long lesson share its number.
type Lesson struct {
	Number   int
	Title    string // a few words
	Notebook string // its file in notebooks/
}

// Core is how many lessons the course has, without those beyond.
const Core = 8

// Lessons lists the notebooks in the order of the course.
var Lessons = []Lesson{
	{1, "Is the GPU alive?", "01-bootstrap.ipynb"},
	{2, "Add two vectors", "02-add.ipynb"},
	{3, "Multiply matrices", "03-matmul.ipynb"},
	{4, "ReLU: every element alone", "04-relu.ipynb"},
	{5, "Many hands, one result", "05-reduce.ipynb"},
	{5, "Softmax: every element depends on all", "05-softmax.ipynb"},
	{6, "The forward pass", "06-forward.ipynb"},
	{7, "Real weights, real digits", "07-digits.ipynb"},
	{8, "Draw", "08-draw.ipynb"},
}

// Beyond lists the lessons after those, an optional part: their points don't count in the points of
// the course.
var Beyond = []Lesson{
	{9, "Frame it", "beyond/09-frame.ipynb"},
	{10, "Train it yourself", "beyond/10-train.ipynb"},
	{11, "Why is it slow?", "beyond/11-slow.ipynb"},
	{12, "Convolve", "beyond/12-convolve.ipynb"},
	{13, "Attend", "beyond/13-attend.ipynb"},
	{14, "Eight bits", "beyond/14-eight-bits.ipynb"},
	{15, "Together", "beyond/15-together.ipynb"},
	{16, "Write", "beyond/16-write.ipynb"},
}

// ownLessons returns the lessons of the course: the eight, and those beyond.
func ownLessons() []Lesson { return slices.Concat(Lessons, Beyond) }

// lastOwn returns the number of the course's last lesson.
func lastOwn() int { return Core + len(Beyond) }

// requireLesson returns an error unless the course has the lesson, and the lesson the notebook that
// an exercise or a question names.
func requireLesson(number int, notebook string) error {
	if number < 1 || number > lastOwn() {
		return fmt.Errorf("lesson is %d: use 1 to %d", number, lastOwn())
	}
	var own []string
	for _, l := range ownLessons() {
		if l.Holds(number, notebook) {
			return nil
		}
		if l.Number == number {
			own = append(own, l.Notebook)
		}
	}
	return fmt.Errorf("notebook is %q: lesson %d has %s", notebook, number, strings.Join(own, " and "))
}

// Holds reports whether the lesson's notebook has an exercise or a question with this lesson number
// and notebook. Those of the course that name no notebook are in the first one of their lesson.
func (l Lesson) Holds(number int, notebook string) bool {
	if notebook == "" {
		return l.Number == number && l.Section() < 2
	}
	return l.Number == number && l.Notebook == notebook
}

// Section returns which notebook of its lesson this is, from 1; 0 if the lesson has only one.
func (l Lesson) Section() int {
	var own []string
	for _, other := range ownLessons() {
		if other.Number == l.Number {
			own = append(own, other.Notebook)
		}
	}
	if len(own) < 2 {
		return 0
	}
	return slices.Index(own, l.Notebook) + 1
}

// IsBeyond reports whether the lesson belongs to the optional part of the course.
func (l Lesson) IsBeyond() bool {
	return l.Number > Core && l.Number <= lastOwn()
}

// Part returns the title of the part of the course that begins with the lesson, if it needs one.
func (l Lesson) Part() string {
	switch l.Number {
	case Core + 1:
		return "Beyond the eight"
	case lastOwn() + 1:
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
		if l.Holds(e.Lesson, e.Notebook) {
			own = append(own, e)
		}
	}
	for _, e := range OnHost {
		if l.Holds(e.Lesson, e.Notebook) {
			own = append(own, e)
		}
	}
	slices.SortStableFunc(own, inCourseOrder)
	return own
}
