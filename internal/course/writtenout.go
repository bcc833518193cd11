package course

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/exercises"
)

// A LessonQuestion is what a lesson asks the learner to say in two sentences.
type LessonQuestion struct {
	Lesson int
	Asks   string
	Ours   string // how the course says it
}

// later is how many lessons after its own an explanation is shown again.
const later = 2

// ShownIn returns the lesson that shows the explanation again beside ours; 0 if the course ends
// before.
func (e *LessonQuestion) ShownIn() int {
	if e.Lesson+later > lastOwn() {
		return 0
	}
	return e.Lesson + later
}

// FindLessonQuestion returns what a lesson asks the learner to explain.
func FindLessonQuestion(lesson int) (*LessonQuestion, error) {
	if lesson < 1 || lesson > len(lessonQuestions) {
		return nil, fmt.Errorf("lesson %d asks for no explanation: use 1 to %d", lesson, len(lessonQuestions))
	}
	return &lessonQuestions[lesson-1], nil
}

// Cell returns the text of the cell in which a notebook asks for the explanation.
func (e *LessonQuestion) Cell() string {
	return checkImport + "%%\n" + comment("In your own words: "+e.Asks, "") +
		"// Put two sentences between the backquotes, and run this cell.\n" +
		fmt.Sprintf("check.Explain(%d, ``)", e.Lesson)
}

// lessonQuestions are in the order of the lessons.
var lessonQuestions = []LessonQuestion{
	{
		1, "why does nearly every shader begin with a guard?",
		"The host can only start whole workgroups, so some invocations may have no element. " +
			"The guard compares an invocation's number with the length, and lets the surplus ones do nothing.",
	},
	{
		2, "why does `vector-add` need no loop?",
		"The host starts an invocation for each element, and each invocation learns its own number. " +
			"So the dispatch is the loop, and the shader is its body.",
	},
	{
		3, "how does an invocation of `matmul` find the numbers that it multiplies?",
		"Memory holds a matrix row by row, so element (row, column) is at row · columns + column. " +
			"An invocation goes along its row of `a` one by one, and down its column of `b` in steps of a whole row.",
	},
	{
		4, "why does a network need ReLU between two layers?",
		"Two matrix products in a row are one product with one matrix, so the second layer adds nothing. " +
			"ReLU bends the line between them, and then no single matrix does the same.",
	},
	{
		5, "what does a barrier promise, and what may happen without it?",
		"No invocation passes a barrier until all of its workgroup have arrived, so each can read what the others wrote before. " +
			"Without it, WGSL promises no order, and a right result is luck.",
	},
	{
		6, "why do the four passes belong in one submission?",
		"Each pass leaves its result on the device, where the next one reads it. " +
			"With a readback in between, the host waits for the device, and then the device waits for the host.",
	},
	{
		7, "what happens if the host forgets to normalize the pixels, and why does no error say so?",
		"The network gets numbers unlike those of its training, so it reads worse. " +
			"Nothing breaks, because softmax makes probabilities from any numbers.",
	},
	{
		8, "why does the network read a 3 in the middle, but often not a small one in a corner?",
		"In training, all digits had nearly one size and were near the middle, so its weights expect ink there. " +
			"Framing moves and scales the drawing until it looks like those digits.",
	},
	{
		9, "why do many invocations need an atomic function to find one smallest number?",
		"Reading, comparing and writing are three steps, and another invocation may write in between. " +
			"`atomicMin` does all three as one, so no result gets lost, in whatever order they come.",
	},
	{
		10, "what does a gradient say, and what does training do with it?",
		"It says how fast the loss grows when one weight grows, for each weight. " +
			"Training moves every weight a small step the other way, batch after batch.",
	},
	{
		11, "how do you find out what makes a shader slow?",
		"Work out how long each part takes at least: bytes, requests, workgroup memory, arithmetic. " +
			"The longest of these is the limit, and making another part faster gains nothing.",
	},
	{
		12, "why does a convolution need so few weights?",
		"The same small filter slides over the whole picture, so every place uses the same weights. " +
			"A linear layer has a weight of its own for each pair of an input and an output.",
	},
	{
		13, "what do queries, keys and values do in attention?",
		"The product of a query and a key says how well the two fit, and softmax turns a row of such scores into shares. " +
			"The result is the mean of the values, weighted by the shares.",
	},
	{
		14, "what do eight bits save, and what do they cost?",
		"The weights take a quarter of the bytes, so a shader that waits for memory has less to wait for. " +
			"Each weight is rounded, and unpacking the bytes is extra work.",
	},
	{
		15, "when can subgroups replace a tree in workgroup memory?",
		"Invocations of one subgroup exchange numbers directly, so there is no memory and no barrier between them. " +
			"How many they are depends on the device, so the shader asks, and still combines the subgroups' results.",
	},
	{
		16, "why does a language model keep its keys and values?",
		"The keys and values of a letter depend only on that letter and those before it, so they never change. " +
			"With a cache, each new letter costs the work of one row and not of the whole text.",
	},
}

// A RecalledLine is a line of a shader that the learner wrote in an earlier lesson, and writes
// again from memory.
type RecalledLine struct {
	Exercise string // whose reference has the line
	Asks     string
	Ours     string            // the line, as the reference has it
	Around   string            // the lines around it, with a gap
	Names    map[string]string // what learners call something, and what the reference calls it
}

// FindLine returns the line of an exercise that a later lesson asks for.
func FindLine(exercise string) (*RecalledLine, error) {
	for i := range recalledLines {
		if recalledLines[i].Exercise == exercise {
			return &recalledLines[i], nil
		}
	}
	return nil, fmt.Errorf("no lesson asks for a line of %q: use matmul or row-max", exercise)
}

// Cell returns the text of the cell in which a notebook asks for the line.
func (l *RecalledLine) Cell() string {
	return checkImport + "%%\n" + comment("From memory: "+l.Asks, "") + quoted(l.Around) +
		"// Put the line between the quotes, and run this cell.\n" +
		fmt.Sprintf("check.Line(%q, \"\")", l.Exercise)
}

// With returns the reference of the exercise with the learner's line in place of ours.
func (l *RecalledLine) With(line string) (string, error) {
	reference, err := exercises.Reference(l.Exercise)
	if err != nil {
		return "", err
	}
	if strings.Count(reference, l.Ours) != 1 {
		return "", fmt.Errorf("the reference of %s has not one line %q", l.Exercise, l.Ours)
	}
	return strings.Replace(reference, l.Ours, l.renamed(line), 1), nil
}

var name = regexp.MustCompile(`\b[a-zA-Z_]\w*`)

// renamed returns a line with the reference's names.
func (l *RecalledLine) renamed(line string) string {
	return name.ReplaceAllStringFunc(line, func(own string) string { return cmp.Or(l.Names[own], own) })
}

var recalledLines = []RecalledLine{
	{
		Exercise: "matmul",
		Asks:     "in `matmul`, `a` is m × k and `b` is k × n. The invocation at `row` and `column` adds one product in each step. Write that line.",
		Ours:     "total += a[row * dims.k + i] * b[i * dims.n + column];",
		Names:    map[string]string{"sum": "total", "acc": "total", "col": "column", "c": "column", "r": "row"},
		Around:   "var total = 0.0;\nfor (var i = 0u; i < dims.k; i++) {\n    …\n}\n",
	},
	{
		Exercise: "row-max",
		Asks:     "in `row-max`, invocation `me` keeps the larger of two elements of the array `candidates` in each step of the tree. Write that line.",
		Ours:     "candidates[me] = max(candidates[me], candidates[me + half]);",
		Names:    map[string]string{"partial": "candidates", "shared_max": "candidates", "shared_row": "candidates", "largest": "candidates"},
		Around:   "if (me < half) {\n    …\n}\n",
	},
}
