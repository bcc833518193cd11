// Package debugger lets JupyterLab's debugger stop in shaders: it connects the kernel to the
// debugger of the simulator.
//
// When a cell checks an exercise, and the cell that wrote the exercise's shader has a breakpoint,
// the shader first runs in the simulator, in this process, on a case of the check. After that run
// the check cell runs as always.
//
// JupyterLab identifies a cell by a hash of its source. The debugger remembers which cell wrote
// which file, so that a check finds the breakpoints of its shader by the file.
package debugger

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/dap"
	"github.com/wgslab/wgslab/internal/observe/debug"
)

// New returns the debugger of a kernel, which lives as long as ctx. See kernel.Config. It ignores
// the saved state of another kernel version if it cannot read it.
func New(ctx context.Context, event func(json.RawMessage), saved json.RawMessage) kernel.Debugger {
	folder := filepath.Join(os.TempDir(), fmt.Sprint("wgslab-", os.Getpid()))
	here, _ := os.Getwd()
	read := func(code string) (dap.ShaderFile, bool) { return shaderOf(cell.Read(code), here) }
	d := &debugger{dap.NewNotebook(folder, read, event)}
	if saved != nil {
		_ = d.notebook.Restore(saved)
	}
	go d.notebook.Serve(ctx) //nolint:errcheck // it ends with its context
	return d
}

type debugger struct{ notebook *dap.NotebookAdapter }

// Request implements kernel.Debugger.
func (d *debugger) Request(ctx context.Context, content json.RawMessage) (json.RawMessage, error) {
	return d.notebook.Request(ctx, content)
}

// Keep implements kernel.Debugger.
func (d *debugger) Save(ctx context.Context) json.RawMessage { return d.notebook.Save(ctx) }

// seedOf returns the seed of the exercise's last check, so that a breakpoint sees the values that
// the check showed. Before the first check it is 0. A check that follows draws new cases.
func seedOf(dir, id string) uint64 {
	tries, _, _ := learner.ReadJournal(filepath.Join(dir, learner.Dir)) // what can't be read shows nothing
	for _, try := range slices.Backward(tries) {
		if try.Exercise == id {
			return try.Seed
		}
	}
	return 0
}

// Ahead implements kernel.Debugger.
func (d *debugger) Ahead(ctx context.Context, c kernel.Cell, out kernel.Output) error {
	if s, ok := shaderOf(c.CellSource, c.Dir); ok {
		d.notebook.Writes(c.Code, s)
	}
	if !d.notebook.MayStop() {
		return nil
	}
	path, t, err := d.toDebug(ctx, c)
	if t == nil || err != nil {
		return err
	}
	view := view{out: out, id: uuid.NewString(), title: t.Title}
	defer view.show()
	return d.notebook.Debug(ctx, path, t, view.stopped)
}

// shaderOf returns the shader that a cell writes when it runs in dir.
func shaderOf(from *cell.CellSource, dir string) (dap.ShaderFile, bool) {
	file, ok := from.Shader()
	if !ok {
		return dap.ShaderFile{}, false
	}
	return dap.ShaderFile{File: file.Resolve(dir), Text: file.Text()}, true
}

// Checked returns the exercise that a cell checks: the argument of its first check.Exercise,
// whatever else the cell does.
func Checked(from *cell.CellSource) (id string, ok bool) {
	for call := range from.Calls("check") {
		if r, ok := protocol.FromCall(call.Function, call.Arguments); ok && r.Do == protocol.Check {
			return r.Exercise, true
		}
	}
	return "", false
}

// toDebug returns the exercise that a cell checks, and the path of the cell that wrote its shader.
// The target is nil if the debugger has nowhere to stop. If the shader cannot run, toDebug leaves
// it to the check, which explains why.
func (d *debugger) toDebug(ctx context.Context, c kernel.Cell) (path string, t *debug.Target, err error) {
	id, ok := Checked(c.CellSource)
	if !ok {
		return "", nil, nil
	}
	exercise, err := course.Find(id)
	if err != nil {
		return "", nil, nil
	}
	file := filepath.Join(c.Dir, learner.ShaderPath(id))
	text, err := learner.ReadShader(file)
	if err != nil {
		return "", nil, nil
	}
	if path, ok = d.notebook.Wants(ctx, dap.ShaderFile{File: file, Text: text}); !ok {
		return "", nil, nil
	}
	if t, err = cases.Target(ctx, exercise, shader.ReadCell(file, text), seedOf(c.Dir, id), "", nil); err != nil {
		return "", nil, context.Cause(ctx)
	}
	return path, t, nil
}

// aside delays the picture of a stop. JupyterLab asks for frames, scopes and variables in turn, and
// a picture of hundreds of cells would delay the answers.
const aside = 200 * time.Millisecond

// A view shows the workgroup under the cell during debugging, and redraws it at each stop. If
// several stops follow quickly, it draws only the last.
type view struct {
	out   kernel.Output
	id    string
	title string

	mu    sync.Mutex
	next  protocol.View // nil when everything is drawn
	drawn bool
}

func (v *view) stopped(s *debug.Session, stop debug.Stop) {
	picture, caption := s.Picture(), v.title+": "+stop.Text
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.next == nil {
		time.AfterFunc(aside, v.show)
	}
	v.next = protocol.View{
		"text/plain": caption + "\n" + picture.Text(),
		"text/html":  "<div><b>" + html.EscapeString(v.title) + "</b>: " + html.EscapeString(stop.Text) + "</div>" + picture.HTML(),
	}
}

// show draws the last stop, if it has not drawn it yet.
func (v *view) show() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.next == nil {
		return
	}
	if v.drawn {
		v.out.Update(v.id, v.next)
	} else {
		v.out.Display(v.id, v.next)
	}
	v.drawn, v.next = true, nil
}
