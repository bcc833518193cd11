// Package debugger lets JupyterLab's debugger stop in shaders: it joins the kernel's front, which knows no exercise, to
// the debugger over the simulator.
//
// A cell that checks an exercise is gone ahead of: where a breakpoint is set in the cell that wrote the exercise's
// shader, the shader first runs in the simulator, in this process, on a case of the check. The cell runs when that has
// come to its end, and says what it always says.
package debugger

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/wgslab/wgslab/internal/debug"
	"github.com/wgslab/wgslab/internal/debug/dap"
	"github.com/wgslab/wgslab/internal/debug/target"
	"github.com/wgslab/wgslab/internal/kernel"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
)

// New makes the debugger of a kernel, which lives as long as ctx. See kernel.Config. What a kernel of another version has
// kept and cannot be read is as if nothing was.
func New(ctx context.Context, event func(json.RawMessage), kept json.RawMessage) kernel.Debugger {
	folder := filepath.Join(os.TempDir(), fmt.Sprint("wgslab-", os.Getpid()))
	d := &debugger{dap.NewNotebook(folder, event)}
	if kept != nil {
		_ = d.notebook.Restore(kept)
	}
	go d.notebook.Serve(ctx) //nolint:errcheck // it ends with its context
	return d
}

type debugger struct{ notebook *dap.Notebook }

// Request implements kernel.Debugger.
func (d *debugger) Request(ctx context.Context, content json.RawMessage) (json.RawMessage, error) {
	return d.notebook.Request(ctx, content)
}

// Keep implements kernel.Debugger.
func (d *debugger) Keep(ctx context.Context) json.RawMessage { return d.notebook.Keep(ctx) }

// seed draws the cases that are debugged: the same ones each time, so that a breakpoint meets what it met before. A
// check draws new ones.
const seed = 0

// Ahead implements kernel.Debugger.
func (d *debugger) Ahead(ctx context.Context, cell kernel.Cell, out kernel.Output) error {
	d.notebook.Cell(cell.Code)
	if !d.notebook.MayStop() {
		return nil
	}
	t, err := d.target(ctx, cell)
	if t == nil || err != nil {
		return err
	}
	view := view{out: out, id: uuid.NewString(), title: t.Title}
	defer view.show()
	return d.notebook.Debug(ctx, t, view.stopped)
}

// target is what a cell checks, where a breakpoint is in it; else nil. What is wrong with a shader, the check says
// better than a debugger that cannot begin.
func (d *debugger) target(ctx context.Context, cell kernel.Cell) (*debug.Target, error) {
	id, ok := Checked(cell.Code)
	if !ok {
		return nil, nil
	}
	exercise, err := lesson.Find(id)
	if err != nil {
		return nil, nil
	}
	path := filepath.Join(cell.Dir, learner.ShaderPath(id))
	text, err := learner.ReadShader(path)
	if err != nil || !d.notebook.Wants(ctx, text) {
		return nil, nil
	}
	t, err := target.Exercise(ctx, exercise, path, dap.InCell(text), seed, "", nil)
	if err != nil {
		return nil, context.Cause(ctx)
	}
	return t, nil
}

// aside is how long the picture of a stop lets the debugger's panel go first: JupyterLab asks for frames, scopes and
// variables in turn, and a picture of hundreds of cells between them holds them up.
const aside = 200 * time.Millisecond

// A view is what stands under the cell while its shader is debugged: the workgroup, drawn anew at each stop. Of stops
// that follow each other at once the last is drawn.
type view struct {
	out   kernel.Output
	id    string
	title string

	mu    sync.Mutex
	next  *kernel.Bundle // nil where all is drawn
	drawn bool
}

func (v *view) stopped(s *debug.Session, stop debug.Stop) {
	picture, caption := s.Picture(), v.title+": "+stop.Text
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.next == nil {
		time.AfterFunc(aside, v.show)
	}
	v.next = &kernel.Bundle{Data: map[string]any{
		"text/plain": caption + "\n" + picture.Text(),
		"text/html":  "<div><b>" + html.EscapeString(v.title) + "</b>: " + html.EscapeString(stop.Text) + "</div>" + picture.HTML(),
	}}
}

// show draws the last stop, if it is not yet.
func (v *view) show() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.next == nil {
		return
	}
	if v.drawn {
		v.out.Update(v.id, *v.next)
	} else {
		v.out.Display(v.id, *v.next)
	}
	v.drawn, v.next = true, nil
}
