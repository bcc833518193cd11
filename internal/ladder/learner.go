package ladder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/engine/gpu"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/judge/workdir"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/view"
)

// patience is the deadline of the cells' device.
const patience = time.Minute

// File returns the path of the learner's file for a rung.
func File(rung string) string { return filepath.Join(workdir.Dir, "fast-"+rung+".wgsl") }

// Try checks the learner's shader for a rung and returns the views for the cell. It opens a device
// only if it needs one. The error says why the cell fails; it wraps shader.ErrLost if the device
// was lost.
func Try(rung string, open func() (*gpu.Device, error)) ([]view.View, error) {
	err := try(rung, open)
	note := view.Note{Mark: view.Bad, Title: "The check could not run"}
	switch {
	case err == nil:
		return []view.View{view.Note{Mark: view.Good, Title: rung + ": right", Body: "Every element of every shape is right, and nothing is written past the end."}}, nil
	case errors.Is(err, errUnbegun):
		note.Title = rung + ": not started"
	case errors.As(err, new(*notRightError)):
		note.Title = rung + ": not right"
	}
	note.Body = verdict.Sentence(err.Error())
	return []view.View{note}, err
}

var errUnbegun = errors.New("nothing is written yet")

// notRightError says that the fault is in the shader, not the machine.
type notRightError struct{ error }

func (e *notRightError) Unwrap() error { return e.error }

func try(rung string, open func() (*gpu.Device, error)) error {
	source, err := os.ReadFile(File(rung))
	if err != nil {
		return err
	}
	if !begun(rung, source) {
		return errUnbegun
	}
	device, err := open()
	if err != nil {
		return err
	}
	err = Check(device, Entry{Name: rung, Source: shader.InCell(string(source))})
	if err == nil || errors.Is(err, shader.ErrLost) || shader.RefusedOnly(err) {
		return err
	}
	return &notRightError{err}
}

// begun reports whether the learner has started on a rung.
func begun(rung string, source []byte) bool {
	return course.Begun(shader.Read(rung, string(source)))
}

// Open opens the device that a cell of notebooks/beyond runs on.
func Open() (*gpu.Device, error) { return gpu.Open(gpu.WithDeadline(patience)) }

// Ladder times all rungs and the learner's existing shaders: matmul from lesson 3, and those of
// notebooks/beyond.
func Ladder(ctx context.Context) (*Table, error) {
	own, err := learners()
	if err != nil {
		return nil, err
	}
	device, err := Open()
	if err != nil {
		return nil, err
	}
	device = device.WithContext(ctx)
	defer device.Close()
	return Run(ctx, device, Options{Own: own})
}

// learners returns the shaders that the learner has started.
func learners() ([]Entry, error) {
	files := map[string]string{"your matmul": workdir.ShaderPath("matmul")}
	names := []string{"your matmul"}
	for _, rung := range Rungs {
		name := "your " + rung.Name
		files[name], names = File(rung.Name), append(names, name)
	}
	var own []Entry
	for _, name := range names {
		source, err := os.ReadFile(files[name])
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading your shader: %w", err)
		}
		if !begun(name, source) {
			continue
		}
		own = append(own, Entry{name, string(source)})
	}
	return own, nil
}

// Bars draws the times: the roof on top, then each shader. The learner's are highlighted.
func (t *Table) Bars() view.Bars {
	b := view.Bars{
		Title:  fmt.Sprintf("GFLOP/s, %d × %d times %d × %d", t.N, t.N, t.N, t.N),
		Source: t.Adapter,
		Labels: []string{"the roof"}, Values: []float32{shown(t.Roof.Of(t.N))},
	}
	for _, r := range t.Rungs {
		label := r.Name
		if r.Problem != "" {
			label += " (" + r.failed() + ")"
		}
		if r.Own {
			b.Highlight = append(b.Highlight, len(b.Values))
		}
		b.Labels, b.Values = append(b.Labels, label), append(b.Values, shown(r.GFLOPS))
	}
	return b
}

// shown rounds a value to three significant digits.
func shown(value float64) float32 {
	if value <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(value))-2)
	return float32(math.Round(value/unit) * unit)
}
