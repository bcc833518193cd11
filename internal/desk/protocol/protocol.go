// Package protocol holds the requests that a desk answers and the answers it returns. The
// kernel sends them to a worker process as gob; a web page sends them to its Web Worker as
// JSON. The package imports no engine, so the kernel can import it.
package protocol

import (
	"strconv"

	"github.com/wgslab/wgslab/internal/judge/verdict"
)

// Kind is the kind of a request.
type Kind string

// The kinds of requests, and the fields that each uses.
const (
	Check   Kind = "check"   // judge the shader in an exercise's file: Exercise, Seed
	Map     Kind = "map"     // draw the course with one lesson marked: Lesson
	Trace   Kind = "trace"   // draw what a shader does with memory: Exercise
	Compare Kind = "compare" // draw two traces side by side: Exercise, Other
	Try     Kind = "try"     // check a shader of the ladder: Rung
	Glance  Kind = "glance"  // look at a shader that was just saved: File, Source, Seed
	Warm    Kind = "warm"    // open the device and judge a reference on it: Exercise
	Predict Kind = "predict" // take an answer to a question: Exercise, Answer
	Recall  Kind = "recall"  // take an answer to the question that begins a lesson: Lesson, Answer
	Steps   Kind = "step"    // step through a shader: Exercise, Source, Step
)

// A Request asks a desk for one thing.
type Request struct {
	Do       Kind    `json:"do"`
	Exercise string  `json:"exercise"`
	Other    string  `json:"other"` // the second exercise
	Lesson   int     `json:"lesson"`
	Answer   string  `json:"answer"` // a letter; "" asks
	Rung     string  `json:"rung"`
	File     string  `json:"file"`
	Source   string  `json:"source"`
	Seed     *uint64 `json:"seed"` // nil draws a fresh one
	Step     Step    `json:"step"`
}

// calls maps each course call that can make up a cell to its request.
var calls = map[string]func(arguments []string) Request{
	"check.Exercise": func(a []string) Request { return Request{Do: Check, Exercise: a[0]} },
	"check.Predict":  func(a []string) Request { return Request{Do: Predict, Exercise: a[0], Answer: a[1]} },
	"check.Recall":   func(a []string) Request { return Request{Do: Recall, Lesson: number(a[0]), Answer: a[1]} },
	"course.Here":    func(a []string) Request { return Request{Do: Map, Lesson: number(a[0])} },
	"trace.Exercise": func(a []string) Request { return Request{Do: Trace, Exercise: a[0]} },
	"trace.Compare":  func(a []string) Request { return Request{Do: Compare, Exercise: a[0], Other: a[1]} },
	"race.Try":       func(a []string) Request { return Request{Do: Try, Rung: a[0]} },
}

// FromCall returns the request for a cell's one call, such as check.Exercise with the exercise's
// id. ok is false for a call that no desk answers.
func FromCall(function string, arguments []string) (r Request, ok bool) {
	request, ok := calls[function]
	if !ok {
		return Request{}, false
	}
	return request(arguments), true
}

// number parses a literal that the reader of cells has already recognised as a number.
func number(literal string) int {
	n, _ := strconv.Atoi(literal)
	return n
}

// Subject names the exercise or rung that a request is about.
func (r Request) Subject() string {
	if r.Do == Try {
		return r.Rung
	}
	return r.Exercise
}

// A View is something to display: content in a notebook's formats, by MIME type.
type View map[string]string

// InPlace is the key of a View that names its place in the cell. A later view in the same place replaces
// it.
const InPlace = "application/x-wgslab-place"

// An Answer is a desk's result, besides the views that it has already displayed.
type Answer struct {
	Verdict *verdict.Verdict // of Check
	Step    *StepState       // of Steps
	Asked   *Asked           // of Predict and Recall
}

// Asked is a question with its answers, for a page that shows a button for each.
type Asked struct {
	Question string   `json:"question"`
	Answers  []string `json:"answers"`
}

// A Failure ends a cell with an error: the kind of error, and a sentence.
type Failure struct{ Name, Message string }

func (f *Failure) Error() string { return f.Message }
