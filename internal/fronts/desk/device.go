package desk

import (
	"context"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// An EngineOpener opens the engines for checks when a check first needs them. It replaces them when
// the device is lost.
type EngineOpener struct {
	Open func(context.Context) (*engine.Opened, error) // opens the engines
	Rest time.Duration                                 // how long the simulator replaces a lost device; 0 opens another device immediately

	turn turn // of whoever opens or warms the device: a driver may take long, or never come back

	mu     sync.Mutex     // guards what follows; held only to read or change it
	opened *engine.Opened // nil before the first use, and after a loss
	rested time.Time      // the simulator is in use until then
	lost   chan struct{}  // closed at the first loss; nil before anything waits for it or a loss
}

// Resting reports whether the simulator currently replaces a lost device.
func (d *EngineOpener) Resting() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Now().Before(d.rested)
}

// Engines returns the current engines for checks. It waits while somebody else opens or warms the
// device, until ctx ends.
func (d *EngineOpener) Engines(ctx context.Context) (*engine.Opened, error) {
	if err := d.turn.take(ctx); err != nil {
		return nil, err
	}
	defer d.turn.give()
	return d.engines(ctx)
}

// engines works like Engines. The caller has the turn.
func (d *EngineOpener) engines(ctx context.Context) (*engine.Opened, error) {
	if d.Resting() {
		return engine.Open(ctx, shader.Simulated)
	}
	if on := d.current(); on != nil {
		return on, nil
	}
	on, err := d.Open(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.opened = on
	return on, nil
}

func (d *EngineOpener) current() *engine.Opened {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.opened
}

// A turn is a lock for which a caller waits no longer than its context. The zero turn is free.
type turn struct {
	once sync.Once
	free chan struct{}
}

func (t *turn) take(ctx context.Context) error {
	t.once.Do(func() {
		t.free = make(chan struct{}, 1)
		t.free <- struct{}{}
	})
	select {
	case <-t.free:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t *turn) give() { t.free <- struct{}{} }

// warmSeed draws the cases that warm the device: every start does the same work.
const warmSeed = 1

// warm opens the device and judges an exercise's reference on it. At their first run, drivers load
// their compiler and browsers compile WebAssembly. Without this, the learner's first check would
// take several times as long as the next.
func (d *EngineOpener) warm(ctx context.Context, id string) (adapter shader.Adapter, err error) {
	exercise, err := course.Find(id)
	if err != nil {
		return adapter, err
	}
	source, err := exercise.Reference()
	if err != nil {
		return adapter, err
	}
	if err := d.turn.take(ctx); err != nil { // checks wait for the warm-up
		return adapter, err
	}
	defer d.turn.give()
	on, err := d.engines(ctx)
	if err != nil {
		return adapter, err
	}
	v, err := judge.Run(ctx, on.Engines, exercise, source, warmSeed)
	d.dropIfLost()
	if err != nil {
		return adapter, err
	}
	_ = view.Formats(v)
	return on.Values.Adapter(), nil
}

// dropIfLost drops a device that was lost, so that the next check opens another or rests.
func (d *EngineOpener) dropIfLost() {
	d.mu.Lock()
	defer d.mu.Unlock()
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
func (d *EngineOpener) gone() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.loss()
}

func (d *EngineOpener) loss() chan struct{} {
	if d.lost == nil {
		d.lost = make(chan struct{})
	}
	return d.lost
}
