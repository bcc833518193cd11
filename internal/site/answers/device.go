package answers

import (
	"context"
	"time"

	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/pkg/gpu"
)

// A device is what checks run on, opened when it is first asked for.
type device struct {
	opened *engine.Opened // nil until something runs, and when the device was left
	rested time.Time      // until when the simulator stands in
}

// rest is how long the simulator stands in for a device that was lost, or has a shader
// on it that never ends. A browser has one process for the GPU: what a shader does to
// it outlives the device, until the browser notices.
const rest = 30 * time.Second

func (d *device) resting() bool { return time.Now().Before(d.rested) }

// open is what a check runs on.
func (d *device) open(ctx context.Context) (*engine.Opened, error) {
	if d.resting() {
		return engine.Open(ctx, engine.Simulator)
	}
	if d.opened != nil {
		return d.opened, nil
	}
	on, err := engine.Open(ctx, engine.Auto, gpu.KeepPrograms(2)) // the visitor's and the reference
	if err == nil && on.Values == on.Watcher {
		// A device that is simulated would be timed, which takes seconds in a page.
		on.Close()
		on, err = engine.Open(ctx, engine.Simulator)
	}
	if err != nil {
		return nil, err
	}
	d.opened = on
	return on, nil
}

// leaveIfLost has a device rest that was lost.
func (d *device) leaveIfLost() {
	if d.opened != nil && d.opened.Device != nil && d.opened.Device.Lost() != nil {
		d.opened, d.rested = nil, time.Now().Add(rest)
	}
}

// An Engine is what computes the values of a check, for programs and in words.
type Engine struct {
	Adapter shader.Adapter `json:"adapter"`
	Words   string         `json:"words"`
}

func (d *device) describe(ctx context.Context) (*Engine, error) {
	on, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	adapter := on.Values.Adapter()
	return &Engine{adapter, d.words(adapter)}, nil
}

// words names what computes the values.
func (d *device) words(adapter shader.Adapter) string {
	switch {
	case adapter.Kind != shader.Simulated:
		return adapter.Name + ", by WebGPU"
	case d.resting():
		return "simulated: this browser's WebGPU does not answer just now"
	}
	return "simulated: this browser has no WebGPU"
}
