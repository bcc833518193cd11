package ladder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// deviceTimeout is the deadline of the cells' device.
const deviceTimeout = time.Minute

// File returns the path of the learner's file for a rung.
func File(rung string) string { return filepath.Join(learner.Dir, "fast-"+rung+".wgsl") }

// begun reports whether the learner has started on a rung.
func begun(rung, source string) bool {
	return course.Begun(shader.Read(rung, source))
}

// Ladder times all rungs and the learner's existing shaders: matmul from lesson 3, and rungs of
// their own. It calls step at the beginning of each part.
func Ladder(ctx context.Context, step func(part string)) (*Measured, error) {
	own, err := learners()
	if err != nil {
		return nil, err
	}
	device, err := gpu.Open(gpu.WithDeadline(deviceTimeout))
	if err != nil {
		return nil, err
	}
	device = device.WithContext(ctx)
	defer device.Close()
	return Run(ctx, device, Options{Own: own, Progress: step})
}

// learners returns the shaders that the learner has started.
func learners() ([]Entry, error) {
	files := map[string]string{"your matmul": learner.ShaderPath("matmul")}
	names := []string{"your matmul"}
	for _, rung := range Rungs {
		name := "your " + rung.Name
		files[name], names = File(rung.Name), append(names, name)
	}
	var own []Entry
	for _, name := range names {
		source, err := learner.ReadShader(files[name])
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if begun(name, source) {
			own = append(own, Entry{name, source})
		}
	}
	return own, nil
}

// Bars draws the times: the roof on top, then each shader. The learner's are highlighted.
func (t *Measured) Bars() view.Bars {
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
