package course

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

// Exercises returns the exercises of a lesson, in the order of its notebook.
func (l Lesson) Exercises() []*Exercise {
	var own []*Exercise
	for _, e := range all() {
		if e.Lesson == l.Number {
			own = append(own, e)
		}
	}
	if Forward.Lesson == l.Number {
		own = append(own, Forward)
	}
	return own
}
