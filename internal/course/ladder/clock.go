package ladder

import (
	"context"
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// Costs draws what a learner's shader for an exercise costs, as goals.Views does, and on a GPU
// also how long it takes there. The counts are turned into times for the GPU of the device, if the
// table of package cost has it; otherwise for the usual one. device may be nil.
func Costs(ctx context.Context, device *gpu.Device, id string, load func(id string) (*shader.Source, error)) []view.View {
	if device == nil || device.Adapter().Kind != shader.GPU {
		return goals.Views(id, cost.Usual, load)
	}
	on, known := cost.DeviceOf(device.Adapter().Name)
	if !known {
		on.Name = cost.Usual
	}
	return append(goals.Views(id, on.Name, load), view.Drawn("How long your shader takes", func() []view.View {
		return timedViews(device.WithContext(ctx), id, load)
	})...)
}

// Beside draws what two ways cost beside each other, as goals.Beside does, and on a GPU also how
// long each takes there. device may be nil.
func Beside(ctx context.Context, device *gpu.Device, left, right string, load func(id string) (*shader.Source, error)) []view.View {
	return view.Drawn("What two ways cost", func() []view.View {
		views, ways := goals.Beside(ctx, left, right, load)
		if device == nil || device.Adapter().Kind != shader.GPU || len(ways) == 0 {
			return views
		}
		var took []string
		for _, way := range ways {
			seconds := 0.0
			for _, p := range way {
				of, err := timeCase(device.WithContext(ctx), p.Exercise, p.Case, p.Source.At(p.Exercise.Entry))
				if err != nil {
					return append(views, view.Note{Title: "Not timed on " + device.Adapter().Name, Body: english.Sentence(err.Error())})
				}
				seconds += of
			}
			took = append(took, way.Name()+" takes "+cost.Duration(seconds)+".")
		}
		return append(views, view.Note{Title: "By the clock, on " + device.Adapter().Name, Body: strings.Join(took, "\n")})
	})
}

// timedViews times the shader. If it doesn't run, ShaderViews has said so.
func timedViews(device *gpu.Device, id string, load func(string) (*shader.Source, error)) []view.View {
	exercise, err := course.Find(id)
	if err != nil || exercise.IsOnHost() {
		return nil
	}
	yours, err := load(id)
	if err != nil {
		return nil
	}
	t, err := timeBoth(device, exercise, yours)
	if err != nil {
		return []view.View{view.Note{Title: "Not timed on " + device.Adapter().Name, Body: english.Sentence(err.Error())}}
	}
	return t.views(device.Adapter().Name)
}

// bothTimes holds the seconds that a shader and the reference take on an exercise's large case.
type bothTimes struct {
	yours, reference float64
}

func timeBoth(device *gpu.Device, exercise *course.Exercise, source *shader.Source) (t bothTimes, err error) {
	c, there := exercise.DrawLarge(1)
	if !there {
		return t, fmt.Errorf("%s has no large case", exercise.ID)
	}
	reference, err := exercise.Reference()
	if err != nil {
		return t, err
	}
	if t.yours, err = timeCase(device, exercise, c, source.At(exercise.Entry)); err != nil {
		return t, err
	}
	t.reference, err = timeCase(device, exercise, c, reference.At(exercise.Entry))
	return t, err
}

// timeCase returns the least seconds that a shader takes in a case.
func timeCase(device *gpu.Device, exercise *course.Exercise, c course.Case, source *shader.Source) (float64, error) {
	d, err := exercise.Dispatched(c, source)
	if err != nil {
		return 0, err
	}
	return TimeDispatch(device, source, d)
}

// TimeDispatch returns the least seconds that a dispatch of a shader takes.
func TimeDispatch(device *gpu.Device, source *shader.Source, d shader.Dispatch) (float64, error) {
	buffers, free, err := gpu.UploadAll(device, d.Buffers)
	defer free()
	if err != nil {
		return 0, err
	}
	pipeline, err := device.CompileSource(source)
	if err != nil {
		return 0, err
	}
	defer pipeline.Free()
	pass, err := pipeline.Pass(d.Workgroups, buffers...)
	if err != nil {
		return 0, err
	}
	defer pass.Free()
	return Fastest(device, pass)
}

// alike is how much two times on one device may differ by chance.
const alike = 1.25

func (t bothTimes) views(adapter string) []view.View {
	said := fmt.Sprintf("Yours takes %s, the reference %s. ", cost.Duration(t.yours), cost.Duration(t.reference))
	switch ratio := t.yours / t.reference; {
	case ratio >= alike:
		said += fmt.Sprintf("That is %.2g times as long: the counts above say where the time goes.", ratio)
	case ratio <= 1/alike:
		said += fmt.Sprintf("Yours needs only %.0f %% of its time.", 100*ratio)
	default:
		said += "The two are alike. If the counts above differ, something else is the limit on this device."
	}
	return []view.View{view.Note{Title: "By the clock, on " + adapter, Body: said}}
}
