package race

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// Where a cell of notebooks/beyond finds the learner's shaders.
const (
	workDir  = "../work"
	unbegun  = "// Your lines go here."
	patience = time.Minute
)

// File is the learner's file for a rung, seen from notebooks/beyond.
func File(rung string) string { return filepath.Join(workDir, "fast-"+rung+".wgsl") }

// Try checks the learner's shader for a rung from a notebook cell, and ends the cell
// with an error when it is not right.
func Try(rung string) {
	views, err := TryViews(rung, func() (*gpu.Device, error) { return gpu.Open(gpu.WithDeadline(patience)) })
	show.Display(views...)
	if err != nil {
		os.Exit(1)
	}
}

// TryViews is what Try shows, on a device that is opened when it is needed. The error
// is why the cell fails; it wraps gpu.ErrLost where the device is lost.
func TryViews(rung string, open func() (*gpu.Device, error)) ([]show.View, error) {
	err := try(rung, open)
	switch {
	case err == nil:
		return []show.View{show.Note{Mark: show.Good, Title: rung + ": right", Body: "Every element of every shape, and nothing behind the end."}}, nil
	case errors.Is(err, errUnbegun):
		return []show.View{show.Note{Mark: show.Bad, Title: rung + ": not started", Body: "Nothing is written yet."}}, err
	case errors.As(err, new(*notRightError)):
		return []show.View{show.Note{Mark: show.Bad, Title: rung + ": not right", Body: err.Error()}}, err
	}
	return []show.View{show.Note{Mark: show.Bad, Title: "The check could not run", Body: err.Error()}}, err
}

var errUnbegun = errors.New("nothing is written yet")

// notRightError says what is wrong with a shader, not with the machine.
type notRightError struct{ error }

func (e *notRightError) Unwrap() error { return e.error }

func try(rung string, open func() (*gpu.Device, error)) error {
	source, err := os.ReadFile(File(rung))
	if err != nil {
		return err
	}
	if strings.Contains(string(source), unbegun) {
		return errUnbegun
	}
	device, err := open()
	if err != nil {
		return err
	}
	err = Check(device, Entry{Name: rung, Source: string(source)})
	if err == nil || errors.Is(err, gpu.ErrLost) {
		return err
	}
	return &notRightError{err}
}

// Ladder races all rungs from a notebook cell, with the learner's shaders that are
// there: matmul of lesson 3, and those of this notebook.
func Ladder() {
	table, err := ladder(context.Background())
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "The race could not run", Body: err.Error()})
		os.Exit(1)
	}
	show.Display(table.Bars(), show.Note{Title: "What this adapter says", Body: table.Note()})
}

func ladder(ctx context.Context) (*Table, error) {
	own, err := learners()
	if err != nil {
		return nil, err
	}
	device, err := gpu.Open(gpu.WithDeadline(patience))
	if err != nil {
		return nil, err
	}
	device = device.WithContext(ctx)
	defer device.Close()
	return Run(ctx, device, Options{Own: own})
}

// learners are the shaders that the learner has begun.
func learners() ([]Entry, error) {
	files := map[string]string{"your matmul": filepath.Join(workDir, "matmul.wgsl")}
	names := []string{"your matmul"}
	for _, rung := range Rungs {
		name := "your " + rung.Name
		files[name], names = File(rung.Name), append(names, name)
	}
	var own []Entry
	for _, name := range names {
		source, err := os.ReadFile(files[name])
		if errors.Is(err, fs.ErrNotExist) || strings.Contains(string(source), unbegun) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading your shader: %w", err)
		}
		own = append(own, Entry{name, string(source)})
	}
	return own, nil
}

// Bars is the picture of the race: the roof above, and below it how far up each
// shader comes. The learner's stand out.
func (t *Table) Bars() show.Bars {
	b := show.Bars{
		Title:  fmt.Sprintf("GFLOP/s, %d × %d times %d × %d", t.N, t.N, t.N, t.N),
		Source: t.Adapter,
		Labels: []string{"the roof"}, Values: []float32{shown(t.Roof.Of(t.N))},
	}
	for _, r := range t.Rungs {
		label := r.Name
		if r.Problem != "" {
			label += " (not right)"
		}
		if r.Own {
			b.Highlight = append(b.Highlight, len(b.Values))
		}
		b.Labels, b.Values = append(b.Labels, label), append(b.Values, shown(r.GFLOPS))
	}
	return b
}

// shown is a value with three digits that count.
func shown(value float64) float32 {
	if value <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(value))-2)
	return float32(math.Round(value/unit) * unit)
}
