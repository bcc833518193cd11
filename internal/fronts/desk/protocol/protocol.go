// Package protocol holds the requests that a desk answers and the answers it returns. The
// kernel sends them to a worker process as gob; a web page sends them to its Web Worker as
// JSON. The package imports no engine, so the kernel can import it.
package protocol

import "github.com/wgslab/wgslab/internal/course/judge/verdict"

// RequestKind is the kind of a request.
type RequestKind string

// The kinds of requests, and the fields that each uses.
const (
	Check   RequestKind = "check"   // judge the shader in an exercise's file: Exercise, Seed
	Goals   RequestKind = "goals"   // count a right shader, and require its exercise's goals: Exercise, Seed
	Map     RequestKind = "map"     // draw the course with one lesson marked: Lesson
	Trace   RequestKind = "trace"   // draw what a shader does with memory: Exercise
	Cost    RequestKind = "cost"    // draw what a shader costs: Exercise
	Compare RequestKind = "compare" // draw two traces side by side: Exercise, Other
	Beside  RequestKind = "beside"  // draw what two ways cost on each device: Exercise and Other, as goals.CountWay reads them
	Roof    RequestKind = "roof"    // draw shaders under a device's roof: Exercise, as goals.CountWay reads it
	Count   RequestKind = "count"   // draw what two rungs of the ladder cost, side by side: Rung, Other, Device
	Glance  RequestKind = "glance"  // look at a shader that was just saved: File, Source, Seed
	Warm    RequestKind = "warm"    // open the device and judge a reference on it: Exercise
	Predict RequestKind = "predict" // take an answer to a question: Exercise, Response
	Recall  RequestKind = "recall"  // take an answer to the question that begins a lesson: Lesson, Response
	Steps   RequestKind = "step"    // step through a shader: Exercise or Bench, Source, StepRequest
	Outlook RequestKind = "outline" // list what a host has to know of a shader: Source
	OnBench RequestKind = "bench"   // run a shader without an exercise: Source, Bench
	Share   RequestKind = "share"   // describe a case for a bench: Exercise, Source, Seed, Step.Case
)

// A Request asks a desk for one thing.
type Request struct {
	Do       RequestKind `json:"do"`
	Exercise string      `json:"exercise,omitempty"`
	Other    string      `json:"other,omitempty"` // the second exercise or rung
	Lesson   int         `json:"lesson,omitempty"`
	Answer   string      `json:"answer,omitempty"` // a letter; "" asks
	Rung     string      `json:"rung,omitempty"`
	Device   string      `json:"device,omitempty"` // of a count; "" for the usual one
	File     string      `json:"file,omitempty"`
	Source   string      `json:"source,omitempty"`
	Seed     *uint64     `json:"seed,omitempty"` // nil draws a fresh one
	Step     StepRequest `json:"step,omitzero"`
	Bench    *BenchRun   `json:"bench,omitempty"` // without an exercise
}

// calls lists the calls of the course that can make up a cell: the kind of request that each makes,
// and the fields that its arguments fill, each a string or an int.
var calls = map[string]struct {
	do     RequestKind
	fields func(*Request) []any
}{
	"check.Exercise": {Check, func(r *Request) []any { return []any{&r.Exercise} }},
	"check.Goals":    {Goals, func(r *Request) []any { return []any{&r.Exercise} }},
	"check.Predict":  {Predict, func(r *Request) []any { return []any{&r.Exercise, &r.Answer} }},
	"check.Recall":   {Recall, func(r *Request) []any { return []any{&r.Lesson, &r.Answer} }},
	"course.Here":    {Map, func(r *Request) []any { return []any{&r.Lesson} }},
	"trace.Exercise": {Trace, func(r *Request) []any { return []any{&r.Exercise} }},
	"cost.Exercise":  {Cost, func(r *Request) []any { return []any{&r.Exercise} }},
	"cost.Beside":    {Beside, func(r *Request) []any { return []any{&r.Exercise, &r.Other} }},
	"cost.Roofline":  {Roof, func(r *Request) []any { return []any{&r.Exercise} }},
	"trace.Compare":  {Compare, func(r *Request) []any { return []any{&r.Exercise, &r.Other} }},
	"race.Count":     {Count, func(r *Request) []any { return []any{&r.Rung, &r.Other} }},
	"race.CountOn":   {Count, func(r *Request) []any { return []any{&r.Device, &r.Rung, &r.Other} }},
}

// FromCall returns the request of a call with literal arguments, each a string or an int, such as
// check.Exercise with the exercise's id. ok is false for a call that no desk answers.
func FromCall(function string, arguments []any) (r Request, ok bool) {
	call, ok := calls[function]
	if !ok {
		return Request{}, false
	}
	r.Do = call.do
	fields := call.fields(&r)
	if len(fields) != len(arguments) {
		return Request{}, false
	}
	for i, field := range fields {
		switch field := field.(type) {
		case *string:
			*field, ok = arguments[i].(string)
		case *int:
			*field, ok = arguments[i].(int)
		}
		if !ok {
			return Request{}, false
		}
	}
	return r, true
}

// Subject names the exercise or rung that a request is about.
func (r Request) Subject() string {
	if r.Do == Count {
		return r.Rung
	}
	return r.Exercise
}

// A View is something to display: content in a notebook's formats, by MIME type. It should include
// text/plain.
type View map[string]string

// InPlace is the key of a View that names its place in the cell. A later view in the same place
// replaces it.
const InPlace = "application/x-wgslab-place"

// Shown is what a cell shows. The zero value is a cell that shows nothing.
type Shown struct {
	Views  []View         // without the names of their places
	places map[string]int // the index of the view in each place
}

// Add shows a view: below the others, or in its place instead of the one that was there. So a
// verdict with its reasons replaces the one that was still waiting for them. Add takes the name of
// the place out of the view.
func (s *Shown) Add(v View) (place string, replaces bool) {
	place = v[InPlace]
	delete(v, InPlace)
	at, replaces := s.places[place]
	if replaces {
		s.Views[at] = v
		return place, true
	}
	if place != "" {
		if s.places == nil {
			s.places = map[string]int{}
		}
		s.places[place] = len(s.Views)
	}
	s.Views = append(s.Views, v)
	return place, false
}

// A Response is a desk's result, besides the views that it has already displayed. A page gets it as
// JSON, with these views, or the state, the outline or the case alone.
type Response struct {
	Verdict  *verdict.Verdict `json:"verdict,omitempty"` // of Check
	Asked    *Asked           `json:"asked,omitempty"`   // of Predict and Recall
	Fields   []FieldProblem   `json:"fields,omitempty"`  // of OnBench: why nothing ran
	Displays []View           `json:"displays"`

	Step    *StepState  `json:"-"` // of Steps
	Outline *Outline    `json:"-"` // of Outlook
	Shared  *SharedCase `json:"-"` // of Share
}

// Asked is a question with its answers, for a page that shows a button for each.
type Asked struct {
	Question string   `json:"question"`
	Code     string   `json:"code,omitempty"` // lines of WGSL that it asks about
	Answers  []string `json:"answers"`
}

// A Failure ends a cell with an error: the kind of error, and a sentence.
type Failure struct{ Name, Message string }

func (f *Failure) Error() string { return f.Message }
