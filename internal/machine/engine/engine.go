// Package engine opens an engine to run shaders: a GPU, else a CPU driver, else the simulator. It
// pairs each of them with the simulator, which watches the shader for errors.
package engine

import (
	"context"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Opened holds engines that are ready to use.
type Opened struct {
	shader.Engines
	Device *gpu.Device // nil if the simulator runs alone
}

// Close frees the device, if there is one.
func (o *Opened) Close() {
	if o.Device != nil {
		o.Device.Close()
	}
}

// Open opens engines that compute values on an adapter of that kind. If there is none, the error
// wraps shader.ErrNoAdapter. shader.Best and shader.Simulated always exist.
func Open(ctx context.Context, kind shader.AdapterKind, options ...gpu.Option) (*Opened, error) {
	if kind == shader.Simulated {
		return alone(), nil
	}
	device, err := gpu.Open(append(options, gpu.Require(kind))...)
	if err != nil {
		return nil, err
	}
	return On(device.WithContext(ctx)), nil
}

// On returns engines on an open device. Close closes the device.
func On(device *gpu.Device) *Opened {
	opened := alone()
	opened.Device = device
	if device.Adapter().Kind != shader.Simulated {
		opened.Values = gpu.Backend(device)
	}
	return opened
}

func alone() *Opened {
	backend := simulator.New(simulator.Options{Steps: aloneSteps})
	return &Opened{Engines: shader.Engines{Values: backend, Watcher: backend}}
}

// aloneSteps limits a shader that only the simulator runs to about three seconds.
const aloneSteps = 500_000_000
