// Package kept is a worker that is kept: a process beside a notebook's kernel that
// opens the device once, and answers one request after the other on it. What a shader
// does to the compiler, the driver or the device ends with that process, and a spare
// that is warm already takes over.
//
// This package is the kernel's side, which opens no device; package serve below it is
// the worker's.
package kept

import (
	"fmt"
	"strings"
	"time"
)

// Mode is the argument behind worker.Command that makes a worker one that is kept.
const Mode = "kept"

// Kind is what a request asks for.
type Kind string

// The kinds, with the arguments that they take.
const (
	Check   Kind = "check.Exercise"  // an exercise's id
	Map     Kind = "course.Here"     // a lesson's number
	Trace   Kind = "trace.Exercise"  // an exercise's id
	Compare Kind = "trace.Compare"   // two exercises' ids
	Try     Kind = "race.Try"        // a rung of the ladder
	Glance  Kind = "a shader's cell" // the file as it is to be named; Source holds its text
)

// A Request is one thing to do.
type Request struct {
	Kind      Kind
	Arguments []string
	Dir       string // the notebook's folder
	Source    string
	Seed      uint64
}

// A View is something to display, in the formats of a notebook by MIME type.
type View map[string]string

// A Failure is why a cell ends with an error: what kind it is, and a sentence.
type Failure struct{ Name, Message string }

// message is what a worker says: that it is warm, that it has the request, a view, or
// how the request ended.
type message struct {
	Ready *ready
	Taken bool
	View  View
	Done  *done
}

// ready is said once, when the device is open.
type ready struct{ Adapter string }

type done struct {
	Failure *Failure
	Spent   bool   // the device is not to be used again
	Memory  uint64 // that the process holds, in bytes
}

// A LostError says that the worker ended, or had to be ended, before it had answered.
type LostError struct {
	Ended    string        // how the process ended; "" where the deadline was missed
	Deadline time.Duration // for the request
	Adapter  string        // "" where none was open yet

	untaken bool // it had not even got the request
}

func (e *LostError) Error() string {
	if e.Ended == "" {
		return fmt.Sprintf("it did not end within %v and was stopped", e.Deadline)
	}
	return fmt.Sprintf("it came to a sudden end (%s)", strings.TrimSpace(e.Ended))
}
