package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
	"github.com/wgslab/wgslab/pkg/gpu"
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
	seed, text, pieces := judge.FreshSeed(), "", view.View(nil)
	if ordered {
		seed = order.Seed
		webgpu.CountWholeFiles()
	} else {
		text, pieces = saved(id, function)
	}
	judged, err := hosted(id, function, seed)
	if err != nil {
		fail(err)
	}
	if ordered {
		answer(order, judged, nil)
	}
	judged.Add(pieces)
	judged.Show(show.Display, learner.GoPath(id), text)
	if !judged.Verdict.Passed() {
		os.Exit(1) // this ends a function that does not return
	}
}

// hosted judges a function.
func hosted(id string, function any, seed uint64) (*host.JudgedHandIn, error) {
	t, err := host.Find(id)
	if err != nil {
		return nil, err
	}
	call, err := caller(t, function)
	if err != nil {
		return nil, err
	}
	device, err := gpu.Default()
	if err != nil {
		return nil, err
	}
	return t.Judge(context.Background(), device, seed, call)
}

// saved saves the program of a function, and returns its text, or "" if it isn't known, and whose
// its pieces are. What it has from the host file isn't saved again.
func saved(id string, function any) (text string, pieces view.View) {
	own, err := host.OwnFile(learner.Dir, host.GoFile)
	if err == nil {
		text, pieces = host.NewIn(host.OfFunction(function), id, own)
		err = host.Save(id, text)
	}
	if err != nil {
		show.Display(show.Note{Title: "Your program could not be saved", Body: english.Sentence(err.Error())})
	}
	return text, pieces
}

// answer gives `wgslab check` the verdict, and ends the program.
func answer(order host.HostOrder, judged *host.JudgedHandIn, problem error) {
	if err := order.Answer(judged, problem); err != nil {
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
func caller(t *host.HostTask, function any) (host.LearnersFunction, error) {
	switch f := function.(type) {
	case func(Layers) error:
		if t.ID == "forward" {
			return guarded(func(c host.Case) error { return f(c.Parts.Layers()) }), nil
		}
	case func(*Training) error:
		if t.ID == "train" {
			return guarded(func(c host.Case) error { return f(c.Parts.Training()) }), nil
		}
	default:
		var own pieces
		if taken := t.Work.Piece && own.take(t.Work.Function, function); taken && t.Work.Opens {
			return own.open(t), nil
		} else if taken {
			return onDevice(t, func(device *wgpu.Device, c host.Case) []float64 {
				return numbers([]reflect.Value{reflect.ValueOf(own.whole(device, t.Whole(c)))})
			}), nil
		}
		if t.Work.Piece {
			break
		}
		due, err := dueType(t)
		if err != nil {
			return nil, err
		}
		if reflect.TypeOf(function) == due && !t.Work.Parts {
			return onDevice(t, func(device *wgpu.Device, c host.Case) []float64 {
				arguments := []reflect.Value{reflect.ValueOf(device)}
				for _, a := range t.Arguments(c) {
					arguments = append(arguments, reflect.ValueOf(a))
				}
				return numbers(reflect.ValueOf(function).Call(arguments))
			}), nil
		}
	}
	skeleton, err := t.Exercise.SkeletonCell()
	_, signature, found := strings.Cut(skeleton, "\nfunc "+t.Work.Function)
	if err != nil || !found {
		return nil, &host.MisfitError{Message: fmt.Sprintf("%s gets a %T", t.ID, function)}
	}
	signature, _, _ = strings.Cut(signature, " {\n")
	return nil, &host.MisfitError{Message: fmt.Sprintf("%s gets a %T, and needs the parameters and the result that the cell gave: func %s%s", t.ID, function, t.Work.Function, signature)}
}

// guarded calls a function that puts parts together.
func guarded(call func(host.Case) error) host.LearnersFunction {
	return func(c host.Case, _ func(string)) ([]float64, error) {
		return nil, host.Guarded(func() error { return call(c) }, host.OverdueInGo())
	}
}

// dueType returns the type of a task's function.
func dueType(t *host.HostTask) (reflect.Type, error) {
	parameters, results, err := t.Types()
	parameters = append([]reflect.Type{reflect.TypeFor[*wgpu.Device]()}, parameters...)
	return reflect.FuncOf(parameters, results, false), err
}

// numbers returns what a function returned, one after the other.
func numbers(results []reflect.Value) (all []float64) {
	for _, r := range results {
		switch values := r.Interface().(type) {
		case []float32:
			for _, v := range values {
				all = append(all, float64(v))
			}
		case []uint32:
			for _, v := range values {
				all = append(all, float64(v))
			}
		case uint64: // ticks
			all = append(all, float64(values))
		}
	}
	return all
}

// errNoDevice says that not even the simulator could be opened.
var errNoDevice = errors.New("there is no device to run your function on")

// errNoFeature says that the device lacks what an exercise needs.
var errNoFeature = errors.New("this device can't run the exercise. The simulator can: set the environment variable WGSLAB_ENGINE=simulator before you start JupyterLab. It lacks")

// onDevice opens a device for each call of a learner's function, as the notebooks do, with features
// that the exercise needs.
func onDevice(t *host.HostTask, call func(*wgpu.Device, host.Case) []float64) host.LearnersFunction {
	return func(c host.Case, on func(string)) ([]float64, error) {
		instance := wgpu.CreateInstance(nil)
		defer instance.Release()
		adapter, err := instance.RequestAdapter(nil)
		if err != nil {
			return nil, errors.Join(errNoDevice, err)
		}
		defer adapter.Release()
		on(adapter.GetInfo().DriverDescription)
		var required []wgpu.FeatureName
		for _, f := range []wgpu.FeatureName{wgpu.FeatureNameTimestampQuery, wgpu.FeatureNameShaderF16, wgpu.FeatureNameSubgroups} { // the learner's shader may need the others
			needed := f == wgpu.FeatureNameTimestampQuery
			switch has := adapter.HasFeature(f); {
			case needed && t.Work.Timed && !has:
				return nil, fmt.Errorf("%w the feature %v", errNoFeature, f)
			case has && (!needed || t.Work.Timed):
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
