package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// An Answerer answers some cells instead of GoNB, which runs the rest.
type Answerer interface {
	// Takes reports whether the Answerer answers this cell. It sees every cell, and must be quick.
	Takes(*cell.CellSource) bool
	// Run answers a cell and displays through out. An error ends the cell with an error reply;
	// a *protocol.Failure names it. When ctx is done, the learner has interrupted the cell, and Run
	// should return soon.
	Run(ctx context.Context, cell Cell, out Output) error
}

// An Assistant is an Answerer that also completes and explains code in its cells. Cursors count
// Unicode code points from the beginning of the cell.
type Assistant interface {
	Answerer
	Complete(ctx context.Context, from *cell.CellSource, cursor int) (Completion, error)
	Inspect(ctx context.Context, from *cell.CellSource, cursor, detail int) (Inspection, error)
}

// A Completeness is an Answerer that knows whether a cell of its own is complete.
type Completeness interface {
	Answerer
	// IsComplete returns "complete", "incomplete" with the indentation of the next line, or
	// "invalid".
	IsComplete(*cell.CellSource) (status, indent string)
}

// A Follower is an Answerer whose cells are Go. The kernel tells it which cells GoNB runs, because
// their declarations persist and may change the meaning of later cells. GoNB completes its cells.
type Follower interface {
	Answerer
	// Passed returns the code that GoNB runs: the cell's, perhaps with other names.
	Passed(*cell.CellSource) (code string)
}

// A Debugger answers JupyterLab's debugger, and runs before each cell that it can stop in.
type Debugger interface {
	// Request answers the content of a debug_request with the content of its reply. It must be
	// quick, whatever the cell does, because the kernel reads nothing else on control in the
	// meantime.
	Request(ctx context.Context, content json.RawMessage) (json.RawMessage, error)
	// Ahead is called before a cell runs. It returns immediately, or after the learner has
	// stepped through the shader that the cell checks. Its display comes above the cell's.
	// After an error the cell does not run. When ctx is done, the learner has interrupted the
	// cell.
	Ahead(ctx context.Context, cell Cell, out Output) error
	// Save returns the state for the kernel after a restart; nil for nothing.
	Save(ctx context.Context) json.RawMessage
}

// Cell is a cell to answer. All who hear of the cell share what was read of its source.
type Cell struct {
	*cell.CellSource
	Dir    string // the base of relative paths
	Silent bool   // show and count nothing
	Count  int    // the number in [ ]
}

// Output shows the output of a cell. Several goroutines may call its methods while the cell runs,
// but not afterwards.
type Output interface {
	// Stream prints to "stdout" or "stderr". (nbgrader gives no points to a cell with anything
	// on stderr.)
	Stream(name, text string)
	// Display shows a view. With an id that is not "", Update can replace it.
	Display(id string, v protocol.View)
	Update(id string, v protocol.View)
	// Result shows a view as the result of the cell.
	Result(v protocol.View)
}

// Completion lists texts that could replace a part of a cell.
type Completion struct {
	Matches    []string
	Start, End int // the range that a match replaces, in code points
	Metadata   map[string]any
}

// Inspection explains a name in a cell.
type Inspection struct {
	Found bool
	Data  protocol.View
}

// errInterrupted ends a cell that the learner interrupted.
var errInterrupted = errors.New("the cell was interrupted")

// failureOf returns the failure that an error is for clients.
func failureOf(err error) *protocol.Failure {
	var named *protocol.Failure
	switch {
	case errors.As(err, &named):
		return named
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return &protocol.Failure{Name: "Interrupted", Message: errInterrupted.Error()}
	}
	return &protocol.Failure{Name: "Error", Message: withRemedy(err, "")}
}

// safely calls a function for a cell, such as Answerer.Run. A panic ends the cell, not the kernel.
func safely(ctx context.Context, do func(context.Context, Cell, Output) error, cell Cell, out Output) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("this cell ran into a bug in wgslab: %v; please report it", fault)
		}
	}()
	return do(ctx, cell, out)
}
