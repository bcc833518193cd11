// Package engine opens what checks run on: a GPU, else a CPU driver, else the
// simulator, and beside each of them the simulator, which watches.
package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/engine/native"
	"github.com/wgslab/wgslab/internal/engine/sim"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/pkg/gpu"
)

// A Choice is which engine somebody asks for.
type Choice string

// The choices.
const (
	Auto      Choice = "auto"      // a GPU, else a CPU driver, else the simulator
	GPU       Choice = "gpu"       // a GPU and nothing else
	CPU       Choice = "cpu"       // a CPU driver, such as Mesa's lavapipe
	Simulator Choice = "simulator" // the simulator alone
)

var choices = []Choice{Auto, GPU, CPU, Simulator}

// Choose reads a choice; "" is Auto.
func Choose(text string) (Choice, error) {
	c := Choice(text)
	if c == "" {
		return Auto, nil
	}
	if !slices.Contains(choices, c) {
		return "", fmt.Errorf("there is no engine %q; choose one of %s", text, List())
	}
	return c, nil
}

// List is the choices, as help texts name them.
func List() string {
	names := make([]string, len(choices))
	for i, c := range choices {
		names[i] = string(c)
	}
	return strings.Join(names, ", ")
}

// required is the kind of adapter that a choice insists on.
var required = map[Choice]gpu.Kind{GPU: gpu.GPU, CPU: gpu.CPU}

// Opened are engines that are ready.
type Opened struct {
	shader.Engines
	Device *gpu.Device // nil where the simulator runs alone
}

// Choice is the choice that opens the same again.
func (o *Opened) Choice() Choice {
	switch {
	case o.Values == o.Watcher:
		return Simulator
	case o.Values.Adapter().Kind == shader.GPU:
		return GPU
	}
	return CPU
}

// Close frees the device, where there is one.
func (o *Opened) Close() {
	if o.Device != nil {
		o.Device.Close()
	}
}

// Open opens what was chosen. The error wraps shader.ErrNoAdapter where that is not
// there; Auto and Simulator always are.
func Open(ctx context.Context, choice Choice, options ...gpu.Option) (*Opened, error) {
	if choice == Simulator {
		return simulator(), nil
	}
	if kind, asked := required[choice]; asked {
		options = append(options, gpu.Require(kind))
	}
	device, err := gpu.Open(options...)
	if err != nil {
		return nil, err
	}
	return On(device.WithContext(ctx)), nil
}

// On is a device that is open already, with the simulator beside it. Close closes
// the device.
func On(device *gpu.Device) *Opened {
	opened := simulator()
	opened.Device = device
	if kind := device.Adapter().Kind; kind == shader.GPU || kind == shader.CPU {
		opened.Values = native.On(device)
	}
	return opened
}

func simulator() *Opened {
	alone := sim.New(sim.Options{Steps: aloneSteps})
	return &Opened{Engines: shader.Engines{Values: alone, Watcher: alone}}
}

// aloneSteps bounds a shader that nobody but the simulator runs: three seconds or
// so.
const aloneSteps = 500_000_000
