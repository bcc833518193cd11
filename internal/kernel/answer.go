package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// An Answerer answers cells that are not GoNB's. The cells that none takes are.
type Answerer interface {
	// Takes says whether a cell is its own. It is asked of every cell, and must be quick.
	Takes(code string) bool
	// Run answers a cell. What it displays goes through out, and an error ends the
	// cell with an error reply: a *CellError names it. When ctx is done, the learner
	// has interrupted the cell, and Run should return soon.
	Run(ctx context.Context, cell Cell, out Output) error
}

// An Assistant is an Answerer that helps to write its cells, too. Cursors are counted in
// Unicode code points from the beginning of the cell.
type Assistant interface {
	Answerer
	Complete(ctx context.Context, code string, cursor int) (Completion, error)
	Inspect(ctx context.Context, code string, cursor, detail int) (Inspection, error)
}

// A Completeness is an Answerer that knows whether its cells can be run as they stand.
type Completeness interface {
	Answerer
	// IsComplete says "complete", "incomplete" with the indentation of the next line,
	// or "invalid".
	IsComplete(code string) (status, indent string)
}

// A Follower is an Answerer whose cells are Go. It is told of those that GoNB is given:
// what these declare stays, and may change what later cells mean. And GoNB helps to
// write all of them.
type Follower interface {
	Answerer
	Passed(code string)
}

// A Debugger is what JupyterLab's debugger talks to, and goes ahead of the cells that it
// can stop in.
type Debugger interface {
	// Request answers a debug_request, by the contents of both messages. It must do so
	// soon, whatever the cell is at: behind it, nothing else is heard on control.
	Request(ctx context.Context, content json.RawMessage) (json.RawMessage, error)
	// Ahead is called before a cell runs, and returns when it may: at once, or when
	// somebody has stepped through what the cell is about. What it shows stands above
	// what the cell shows. With an error the cell does not run. When ctx is done, the
	// learner has interrupted the cell.
	Ahead(ctx context.Context, cell Cell, out Output) error
	// Keep gives what the kernel that follows on a restart is to know; nil for nothing.
	Keep(ctx context.Context) json.RawMessage
}

// Cell is a cell that is to be answered.
type Cell struct {
	Code   string
	Dir    string // the folder that relative paths begin at
	Silent bool   // nothing of it is to be shown or counted
	Count  int    // the number in [ ]
}

// Bundle is something to display, in several formats by their MIME types; text/plain
// should be among them.
type Bundle struct {
	Data     map[string]any
	Metadata map[string]any // by MIME type, or nil
}

// Output is what a cell shows. Its methods may be called from several goroutines
// while the cell runs, and not after.
type Output interface {
	// Stream prints to "stdout" or "stderr". (nbgrader gives no points to a cell
	// with anything on stderr.)
	Stream(name, text string)
	// Display shows a bundle. With an id that is not "", Update can replace it.
	Display(id string, b Bundle)
	Update(id string, b Bundle)
	// Result shows a bundle as what the cell has come to.
	Result(b Bundle)
}

// Completion are ways to go on between two places of a cell.
type Completion struct {
	Matches    []string
	Start, End int // what a match replaces, in code points
	Metadata   map[string]any
}

// Inspection is what is known of something in a cell.
type Inspection struct {
	Found bool
	Bundle
}

// CellError is how a cell fails.
type CellError struct {
	Name      string   // what kind of failure it is: "CompileError"
	Message   string   // what a person should read
	Traceback []string // the lines to show; when empty, Name and Message
}

func (e *CellError) Error() string { return e.Message }

// errInterrupted is why a cell that the learner interrupted was ended.
var errInterrupted = errors.New("the cell was interrupted")

// cellError puts an error in the form that clients are told it in.
func cellError(err error) *CellError {
	var named *CellError
	switch {
	case errors.As(err, &named):
		e := *named
		if len(e.Traceback) == 0 {
			e.Traceback = []string{e.Name + ": " + e.Message}
		}
		return &e
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return cellError(&CellError{Name: "Interrupted", Message: errInterrupted.Error()})
	}
	return cellError(&CellError{Name: "Error", Message: err.Error()})
}

// safely does something with a cell, Answerer.Run say. A fault in it ends the cell, not
// the kernel.
func safely(ctx context.Context, do func(context.Context, Cell, Output) error, cell Cell, out Output) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("this cell met a mistake in wgslab itself: %v; please report it", fault)
		}
	}()
	return do(ctx, cell, out)
}
