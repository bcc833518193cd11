package check

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/pkg/wgpu"
)

// A HostShader is one of your shaders, for an exercise in which you write the host's calls. Its
// workgroups have Size[0] invocations in x, and Size[1] in y.
type HostShader = host.HostShader

// Host checks an exercise in which you write the host's calls: it calls your function on several
// cases, on a WebGPU that is watched. If it is not right, Host ends the cell with an error.
//
//	check.Host("host-add", addVectors)
func Host(id string, function any) {
	order, ordered := host.Ordered()
	seed := judge.FreshSeed()
	if ordered {
		seed = order.Seed
		webgpu.CountWholeFiles()
	}
	t, err := host.Find(id)
	if err != nil {
		fail(err)
	}
	run, err := caller(id, function)
	if err != nil {
		fail(err)
	}
	text := ""
	if !ordered {
		text = saved(id, function)
	}
	var shaders []Shader
	var sources []string
	for _, id := range t.Shaders {
		own, err := Own(id)
		if err != nil {
			fail(err)
		}
		shaders, sources = append(shaders, own), append(sources, own.Source)
	}
	v, record, err := t.Check(sources, seed, run)
	if err != nil {
		fail(err)
	}
	if ordered {
		answer(order, v, nil)
	}
	show.Display(v, Whose(shaders...))
	if v.Slug != verdict.Stub {
		show.Display(host.RoadOf(record))
	}
	if note := session.Record(learner.TryOf(v, text)); note != nil {
		show.Display(note)
	}
	if !v.Passed() {
		os.Exit(1) // this ends a function that does not return
	}
}

// saved saves the program of a function, and returns its text, or "" if it isn't known.
func saved(id string, function any) string {
	text := host.OfFunction(function)
	if err := host.Save(id, text); err != nil {
		show.Display(show.Note{Title: "Your program could not be saved", Body: english.Sentence(err.Error())})
	}
	return text
}

// answer gives `wgslab check` the verdict, and ends the program.
func answer(order host.HostOrder, v *verdict.Verdict, problem error) {
	if err := order.Answer(v, problem); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(0)
}

func fail(err error) {
	if order, ordered := host.Ordered(); ordered {
		answer(order, nil, err)
	}
	show.Display(session.CouldNotRun(err))
	os.Exit(1)
}

// caller returns what calls a learner's function on a case.
func caller(id string, function any) (host.LearnersFunction, error) {
	switch f := function.(type) {
	case func(device *wgpu.Device, shader string, size int, a, b []float32) []float32:
		return onDevice(func(d *wgpu.Device, c host.Case) []float64 {
			return numbers(f(d, c.Shaders[0].WGSL, c.Shaders[0].Size[0], c.Floats[0], c.Floats[1]))
		}), of(id, "host-add")
	case func(device *wgpu.Device, shader string, size int, alpha float32, n int, x, y []float32) []float32:
		return onDevice(func(d *wgpu.Device, c host.Case) []float64 {
			return numbers(f(d, c.Shaders[0].WGSL, c.Shaders[0].Size[0], c.Alpha, c.Counts[0], c.Floats[0], c.Floats[1]))
		}), of(id, "host-saxpy")
	case func(device *wgpu.Device, shader string, size, n int) []uint32:
		return onDevice(func(d *wgpu.Device, c host.Case) []float64 {
			return numbers(f(d, c.Shaders[0].WGSL, c.Shaders[0].Size[0], c.Counts[0]))
		}), of(id, "host-calls")
	case func(device *wgpu.Device, shader string, size [2]int, rows, cols int) []uint32:
		return onDevice(func(d *wgpu.Device, c host.Case) []float64 {
			return numbers(f(d, c.Shaders[0].WGSL, c.Shaders[0].Size, c.Counts[0], c.Counts[1]))
		}), of(id, "host-grid")
	case func(device *wgpu.Device, shader string, rows, cols int, x []float32) []float32:
		return onDevice(func(d *wgpu.Device, c host.Case) []float64 {
			return numbers(f(d, c.Shaders[0].WGSL, c.Counts[0], c.Counts[1], c.Floats[0]))
		}), of(id, "host-rows")
	case func(device *wgpu.Device, shader string, blocks int, x []float32) ([]float32, uint64):
		return onDevice(func(d *wgpu.Device, c host.Case) []float64 {
			sums, ticks := f(d, c.Shaders[0].WGSL, c.Counts[0], c.Floats[0])
			return append(numbers(sums), float64(ticks))
		}, wgpu.FeatureNameTimestampQuery), of(id, "host-time")
	case func(device *wgpu.Device, linear HostShader, rows, in, out int, x []float32, file []byte, wAt, biasAt int) []float32:
		return onDevice(func(d *wgpu.Device, c host.Case) []float64 {
			n := c.Counts
			return numbers(f(d, c.Shaders[0], n[0], n[1], n[2], c.Floats[0], slices.Clone(c.Bytes), n[3], n[4]))
		}), of(id, "host-weights")
	case func(device *wgpu.Device, linear, softmax, lossGrad, gradWeights, gradBias, sgd HostShader, rows, steps int, x []float32, label []uint32, w, b []float32, rate float32) []float32:
		return onDevice(func(d *wgpu.Device, c host.Case) []float64 {
			s, n := c.Shaders, c.Floats
			return numbers(f(d, s[0], s[1], s[2], s[3], s[4], s[5], c.Counts[0], c.Counts[1], n[0], slices.Clone(c.Labels), n[1], n[2], c.Alpha))
		}), of(id, "host-train")
	case func(device *wgpu.Device, linear, relu, softmax HostShader, rows int, x, w1, b1, w2, b2 []float32) []float32:
		return onDevice(func(d *wgpu.Device, c host.Case) []float64 {
			s, n := c.Shaders, c.Floats
			return numbers(f(d, s[0], s[1], s[2], c.Counts[0], n[0], n[1], n[2], n[3], n[4]))
		}), of(id, "host-forward")
	}
	return nil, fmt.Errorf("check.Host(%q, …) gets a %T: leave the parameters and the result of the function as the cell gave them", id, function)
}

// of returns an error if a function is that of another exercise.
func of(id, other string) error {
	if id != other {
		return fmt.Errorf("check.Host(%q, …) gets the function of %s", id, other)
	}
	return nil
}

func numbers[T float32 | uint32](values []T) []float64 {
	converted := make([]float64, len(values))
	for i, v := range values {
		converted[i] = float64(v)
	}
	return converted
}

// errNoDevice says that not even the simulator could be opened.
var errNoDevice = errors.New("there is no device to run your function on")

// errNoFeature says that the device lacks what an exercise needs.
var errNoFeature = errors.New("this device can't run the exercise. The simulator can: set the environment variable WGSLAB_ENGINE=simulator before you start JupyterLab. It lacks")

// onDevice opens a device for each call of a learner's function, as the notebooks do, with features
// that the exercise needs.
func onDevice(call func(*wgpu.Device, host.Case) []float64, features ...wgpu.FeatureName) host.LearnersFunction {
	return func(c host.Case, on func(string)) ([]float64, error) {
		instance := wgpu.CreateInstance(nil)
		defer instance.Release()
		adapter, err := instance.RequestAdapter(nil)
		if err != nil {
			return nil, errors.Join(errNoDevice, err)
		}
		defer adapter.Release()
		on(adapter.GetInfo().DriverDescription)
		for _, f := range features {
			if !adapter.HasFeature(f) {
				return nil, fmt.Errorf("%w the feature %v", errNoFeature, f)
			}
		}
		required := slices.Clone(features)
		for _, f := range []wgpu.FeatureName{wgpu.FeatureNameShaderF16, wgpu.FeatureNameSubgroups} { // the learner's shader may need them
			if adapter.HasFeature(f) {
				required = append(required, f)
			}
		}
		device, err := adapter.RequestDevice(&wgpu.DeviceDescriptor{RequiredFeatures: required})
		if err != nil {
			return nil, errors.Join(errNoDevice, err)
		}
		defer device.Release()
		return call(device, c), nil
	}
}
