// Package run executes a notebook in a Jupyter kernel and keeps the outputs in its cells. A Batch
// executes several, with progress and a report.
package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// Two tags change how Run executes a cell, as in Jupyter's nbclient.
const (
	tagSkip   = "skip-execution"   // do not run the cell; keep its outputs
	tagRaises = "raises-exception" // the cell may fail
)

// Options change how Run executes a notebook. The zero value runs every cell without a deadline, up
// to the first that fails.
type Options struct {
	CellDeadline time.Duration // for each cell; 0 means none
	Deadline     time.Duration // for the whole notebook; 0 means none
	AllowErrors  bool          // continue after a cell that fails
	OutputLimit  int           // bytes of output that a cell may hold; 0 means DefaultOutputLimit

	// Started, if set, is called before each cell: the n-th of total, counted from 1.
	Started func(n, total int)
	// Notice, if set, receives remarks about odd but harmless events, each text once.
	Notice func(text string)
}

// DefaultOutputLimit limits the output of a cell, in bytes.
const DefaultOutputLimit = 20_000_000

// A CellError reports that a cell failed.
type CellError struct {
	Cell   *nbformat.Cell
	Number int // of the cell among those that run, from 1
	// Err is a *nbformat.Raised if the cell's own code failed; otherwise it is an error of
	// [jupyter.Kernel.Execute].
	Err error
}

func (e *CellError) Error() string { return fmt.Sprintf("cell %d: %v", e.Number, e.Err) }

func (e *CellError) Unwrap() error { return e.Err }

// Failures lists the cells that failed, in order.
type Failures []*CellError

func (f Failures) Error() string {
	texts := make([]string, len(f))
	for i, failure := range f {
		texts[i] = failure.Error()
	}
	return strings.Join(texts, "\n")
}

// Unwrap returns the failures one by one.
func (f Failures) Unwrap() []error {
	errs := make([]error, len(f))
	for i, failure := range f {
		errs[i] = failure
	}
	return errs
}

// Run runs the cells of Executable in order, and replaces their outputs.
//
// It stops at the first cell that fails, unless Options.AllowErrors or the cell's tag
// raises-exception allows the failure, and at any error that leaves the kernel unusable. The error
// is Failures, or the cause of ctx once that is done. Run keeps the outputs so far, and a cell that
// failed or was stopped ends with an error output. The caller must then shut the kernel down, which
// may still be running a cell.
func Run(ctx context.Context, nb *nbformat.Notebook, kernel *jupyter.Kernel, o Options) error {
	for _, cell := range nb.Cells {
		if !cell.HasTag(tagSkip) {
			cell.Clear()
		}
	}
	describe(nb, kernel)
	run := newRun(kernel, o)
	cells := Executable(nb)
	for i, cell := range cells {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if o.Started != nil {
			o.Started(i+1, len(cells))
		}
		err := run.cell(ctx, cell)
		switch {
		case err == nil:
			continue
		case errors.Is(err, errStopped):
			return context.Cause(ctx)
		}
		expected := cell.HasTag(tagRaises) && isRaised(err)
		if !expected {
			run.failures = append(run.failures, &CellError{Cell: cell, Number: i + 1, Err: err})
		}
		if !expected && !o.AllowErrors || !usable(err) {
			break
		}
	}
	if len(run.failures) > 0 {
		return run.failures
	}
	return nil
}

// Executable lists the cells that Run runs: those with code and without the tag skip-execution.
func Executable(nb *nbformat.Notebook) []*nbformat.Cell {
	var cells []*nbformat.Cell
	for _, cell := range nb.Cells {
		if hasCode(cell) && !cell.HasTag(tagSkip) {
			cells = append(cells, cell)
		}
	}
	return cells
}

// hasCode reports whether a cell has code to run.
func hasCode(c *nbformat.Cell) bool {
	return c.Type == nbformat.Code && strings.TrimSpace(c.Source) != ""
}

// describe records the kernel in the notebook's metadata, as Jupyter does.
func describe(nb *nbformat.Notebook, kernel *jupyter.Kernel) {
	if nb.Metadata == nil {
		nb.Metadata = map[string]any{}
	}
	if nb.Kernel() != kernel.Spec.Name {
		nb.Metadata["kernelspec"] = map[string]any{
			"display_name": kernel.Spec.DisplayName,
			"language":     kernel.Spec.Language,
			"name":         kernel.Spec.Name,
		}
	}
	var language map[string]any
	if json.Unmarshal(kernel.Info.LanguageInfo, &language) == nil && language != nil {
		nb.Metadata["language_info"] = language
	}
}

// run is one execution of a notebook.
type run struct {
	kernel   *jupyter.Kernel
	options  Options
	end      time.Time // the time of the notebook's deadline; zero if there is none
	notice   func(text string)
	displays displays
	failures Failures
}

func newRun(kernel *jupyter.Kernel, o Options) *run {
	r := &run{kernel: kernel, options: o, displays: make(displays)}
	if o.Deadline > 0 {
		r.end = time.Now().Add(o.Deadline)
	}
	if r.options.OutputLimit == 0 {
		r.options.OutputLimit = DefaultOutputLimit
	}
	r.notice = once(o.Notice)
	return r
}

// once returns a function that passes each text on only the first time.
func once(notice func(string)) func(string) {
	seen := make(map[string]bool)
	return func(text string) {
		if notice != nil && !seen[text] {
			seen[text] = true
			notice(text)
		}
	}
}

// errNotebookDeadline reports that the whole notebook took too long.
var errNotebookDeadline = errors.New("the time for the whole notebook is up")

// errStopped reports that the context ended before the cell did.
var errStopped = errors.New("stopped before its end")

// cell runs one cell. If something stops it, the reason becomes an error output, so that the
// notebook shows it.
func (r *run) cell(ctx context.Context, cell *nbformat.Cell) error {
	deadline, last := r.deadline()
	if last && deadline <= 0 {
		return r.note(cell, errNotebookDeadline)
	}
	recorder := &recorder{
		cell: cell, limit: r.options.OutputLimit, displays: r.displays, notice: r.notice,
	}
	reply, err := r.kernel.Execute(ctx, jupyter.Request{
		Code: cell.Source, Deadline: deadline, Output: recorder.take,
	})
	recorder.settle()
	var late *jupyter.DeadlineError
	switch {
	case err == nil:
		return raised(reply, cell)
	case ctx.Err() != nil:
		return r.note(cell, fmt.Errorf("%w: %w", errStopped, context.Cause(ctx)))
	case errors.As(err, &late) && last:
		return r.note(cell, fmt.Errorf("%w (%s): %w", errNotebookDeadline, r.options.Deadline, err))
	}
	return r.note(cell, err)
}

// deadline returns how long the next cell may run. last is true if the notebook's own deadline is
// the nearer one.
func (r *run) deadline() (limit time.Duration, last bool) {
	limit = r.options.CellDeadline
	if r.end.IsZero() {
		return limit, false
	}
	if left := time.Until(r.end); limit == 0 || left < limit {
		return left, true
	}
	return limit, false
}

// note adds err to the outputs of the cell.
func (r *run) note(cell *nbformat.Cell, err error) error {
	cell.Outputs = append(cell.Outputs, &nbformat.Output{
		Type:      nbformat.Error,
		EName:     noteName(err),
		EValue:    err.Error(),
		Traceback: strings.Split(err.Error(), "\n"),
	})
	return err
}

func noteName(err error) string {
	var (
		late   *jupyter.DeadlineError
		dead   *jupyter.DeadError
		output *outputLimitError
	)
	switch {
	case errors.Is(err, errStopped):
		return "Interrupted"
	case errors.As(err, &late), errors.Is(err, errNotebookDeadline):
		return "DeadlineExceeded"
	case errors.As(err, &dead):
		return "KernelDied"
	case errors.As(err, &output):
		return "OutputLimit"
	case errors.Is(err, jupyter.ErrInput):
		return "InputRequested"
	}
	return "KernelFailed"
}

// raised returns the error that ended the cell's own code, if any. If the kernel reported it only
// in its reply, raised adds the output.
func raised(reply jupyter.Reply, cell *nbformat.Cell) error {
	var output *nbformat.Output
	for _, o := range cell.Outputs {
		if o.Type == nbformat.Error {
			output = o
		}
	}
	if output == nil {
		if reply.Status == "ok" {
			return nil
		}
		output = &nbformat.Output{Type: nbformat.Error, EName: reply.EName, EValue: reply.EValue, Traceback: reply.Traceback}
		if output.EName == "" && output.EValue == "" {
			output.EName, output.EValue = "KernelFailed", fmt.Sprintf("the kernel replied %q", reply.Status)
		}
		cell.Outputs = append(cell.Outputs, output)
	}
	return output.Raised()
}

func isRaised(err error) bool {
	var raised *nbformat.Raised
	return errors.As(err, &raised)
}

// usable reports whether the kernel can run another cell after err.
func usable(err error) bool {
	var (
		late   *jupyter.DeadlineError
		output *outputLimitError
	)
	if errors.Is(err, errNotebookDeadline) || errors.Is(err, jupyter.ErrStuck) {
		return false
	}
	return isRaised(err) || errors.Is(err, jupyter.ErrInput) || errors.As(err, &late) || errors.As(err, &output)
}
