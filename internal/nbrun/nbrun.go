// Package nbrun executes a notebook in a Jupyter kernel, and keeps in its cells
// what the kernel puts out.
package nbrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/jupyter"
	"github.com/wgslab/wgslab/internal/nbformat"
)

// Two tags of a cell say how it is executed, as they do for Jupyter's own
// nbclient.
const (
	tagSkip   = "skip-execution"   // the cell is left alone, with the outputs that it has
	tagRaises = "raises-exception" // the cell may fail by itself
)

// Options say how a notebook is executed. The zero value runs every cell, each
// for as long as it likes, up to the first that fails.
type Options struct {
	CellDeadline time.Duration // for each cell; 0 is none
	Deadline     time.Duration // for the whole notebook; 0 is none
	AllowErrors  bool          // go on behind a cell that fails
	OutputLimit  int           // bytes of output that a cell may hold; 0 is DefaultOutputLimit

	// Started, when set, is called before each cell that is run: the n-th of
	// total, counted from 1.
	Started func(n, total int)
	// Notice, when set, is handed what is odd and did no harm, each text once.
	Notice func(text string)
}

// DefaultOutputLimit is how many bytes of output a cell may hold.
const DefaultOutputLimit = 20_000_000

// CellError says that a cell failed.
type CellError struct {
	Cell   *nbformat.Cell
	Number int // of the cell among those that run, from 1
	// Err is a *nbformat.Raised when the cell failed by itself; otherwise it says what
	// came between: see [jupyter.Kernel.Execute].
	Err error
}

func (e *CellError) Error() string { return fmt.Sprintf("cell %d: %v", e.Number, e.Err) }

func (e *CellError) Unwrap() error { return e.Err }

// Failures are the cells that failed, in order.
type Failures []*CellError

func (f Failures) Error() string {
	texts := make([]string, len(f))
	for i, failure := range f {
		texts[i] = failure.Error()
	}
	return strings.Join(texts, "\n")
}

// Unwrap gives the failures one by one.
func (f Failures) Unwrap() []error {
	errs := make([]error, len(f))
	for i, failure := range f {
		errs[i] = failure
	}
	return errs
}

// Run runs the cells of Executable in order and keeps their outputs, in
// place of any that were there.
//
// It stops at the first cell that fails, unless Options.AllowErrors or the
// cell's tag raises-exception says otherwise, and at whatever leaves the kernel
// unusable. The error is Failures, or the cause of ctx once that is done. The
// outputs up to then are kept, and a cell that failed or was stopped always ends
// with an error output. The kernel may still be running a cell then: it is to be
// shut down.
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

// Executable lists the cells that Run runs: those with code in them, but
// for the ones with the tag skip-execution.
func Executable(nb *nbformat.Notebook) []*nbformat.Cell {
	var cells []*nbformat.Cell
	for _, cell := range nb.Cells {
		if hasCode(cell) && !cell.HasTag(tagSkip) {
			cells = append(cells, cell)
		}
	}
	return cells
}

// hasCode says whether there is anything in the cell for a kernel to run.
func hasCode(c *nbformat.Cell) bool {
	return c.Type == nbformat.Code && strings.TrimSpace(c.Source) != ""
}

// describe notes in the metadata what the notebook is run with, as Jupyter does.
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
	end      time.Time // when the notebook's deadline is; zero for none
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

// once hands on each text the first time.
func once(notice func(string)) func(string) {
	seen := make(map[string]bool)
	return func(text string) {
		if notice != nil && !seen[text] {
			seen[text] = true
			notice(text)
		}
	}
}

// errNotebookDeadline says that the notebook as a whole took too long.
var errNotebookDeadline = errors.New("the time for the whole notebook is up")

// errStopped says that the context of the run was done before the cell was.
var errStopped = errors.New("stopped before its end")

// cell runs one cell. What keeps it from ending by itself becomes an error
// output of the cell, so that whoever reads the notebook sees it too.
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

// deadline is how long the next cell may run, and whether it is the notebook's
// deadline that says so.
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

// raised is the error with which the cell ended by itself, if it did. A kernel
// that says so only in its reply gets the output added.
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

// usable says whether the kernel can run another cell after err.
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
