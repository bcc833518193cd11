package desk

import (
	"context"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/view"
)

// A Device opens the engines for checks when a check first needs them. It replaces them when the
// device is lost.
type Device struct {
	Open func(context.Context) (*engine.Opened, error) // opens the engines
	Rest time.Duration                                 // how long the simulator replaces a lost device; 0 opens another device immediately

	mu     sync.Mutex
	opened *engine.Opened // nil before the first use, and after a loss
	rested time.Time      // the simulator is in use until then
	lost   chan struct{}  // closed at the first loss; nil before anything waits for it or a loss
}

// Resting reports whether the simulator currently replaces a lost device.
func (d *Device) Resting() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.resting()
}

func (d *Device) resting() bool { return time.Now().Before(d.rested) }

// Engines returns the current engines for checks.
func (d *Device) Engines(ctx context.Context) (*engine.Opened, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.engines(ctx)
}

func (d *Device) engines(ctx context.Context) (*engine.Opened, error) {
	if d.resting() {
		return engine.Open(ctx, shader.Simulated)
	}
	if d.opened != nil {
		return d.opened, nil
	}
	on, err := d.Open(ctx)
	if err != nil {
		return nil, err
	}
	d.opened = on
	return on, nil
}

// warmSeed draws the cases that warm the device: every start does the same work.
const warmSeed = 1

// warm opens the device and judges an exercise's reference on it. At their first run, drivers load
// their compiler and browsers compile WebAssembly. Without this, the learner's first check would
// take several times as long as the next.
func (d *Device) warm(ctx context.Context, id string) (adapter shader.Adapter, err error) {
	exercise, err := course.Find(id)
	if err != nil {
		return adapter, err
	}
	source, err := exercise.Reference()
	if err != nil {
		return adapter, err
	}
	d.mu.Lock() // checks wait for the warm-up
	defer d.mu.Unlock()
	on, err := d.engines(ctx)
	if err != nil {
		return adapter, err
	}
	v, err := judge.Run(ctx, on.Engines, exercise, source, warmSeed)
	d.leaveIfLost()
	if err != nil {
		return adapter, err
	}
	_ = view.Formats(v)
	return on.Values.Adapter(), nil
}

// dropIfLost drops a device that was lost, so that the next check opens another or rests.
func (d *Device) dropIfLost() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.leaveIfLost()
}

func (d *Device) leaveIfLost() {
	if d.opened == nil || d.opened.Device == nil || d.opened.Device.Lost() == nil {
		return
	}
	d.opened, d.rested = nil, time.Now().Add(d.Rest)
	select {
	case <-d.loss():
	default:
		close(d.lost)
	}
}

// gone returns a channel that is closed at the first loss.
func (d *Device) gone() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.loss()
}

func (d *Device) loss() chan struct{} {
	if d.lost == nil {
		d.lost = make(chan struct{})
	}
	return d.lost
}
