// Package gpu opens devices and works with them: buffers, pipelines compiled from WGSL, and passes
// that dispatch them. A device belongs to a driver (WebGPU through wgpu-native) or the browser, or
// is simulated.
//
// The package validates, counts, and waits with a deadline, in the same way for all of them. It
// returns failures as error values of internal/machine/shader. It writes nothing to stdout or
// stderr. Notebooks use it through package pkg/gpu.
package gpu

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// DefaultDeadline is the time limit for one piece of work on the device. After it, the wait ends
// with a *shader.DeadlineError.
const DefaultDeadline = 10 * time.Second

// A Device is an open adapter with its queue. It is safe for concurrent use; calls take turns.
type Device struct {
	*opened
	ctx      context.Context // ends the calls that are made through this Device
	deadline time.Duration   // of each wait in such a call
}

// opened holds what all Devices of one adapter share.
type opened struct {
	required shader.AdapterKind // "" for the best available
	adapter  shader.Adapter
	platform platform
	hasty    bool // compiling doesn't wait for the browser

	mu     sync.Mutex
	live   map[releaser]struct{}
	cache  cache
	memory uint64 // bytes left for more buffers
	failed error  // why the device can no longer be trusted
	counts Counts
	watch  func([]Pass) // receives each submission's passes; nil if no one watches

	busy *usage.Wait // since the device was first seen busy; nil when it is idle

	abandoned <-chan fence.Returned[error] // a call into the driver that a wait gave up on; nil when there is none
	orphans   []func()                     // releases to call after it has ended
}

// Counts counts how often the host has communicated with the device. Lesson 6 is about these
// numbers.
type Counts struct {
	Submissions int // command buffers handed to the queue by Submit
	Readbacks   int // buffers copied back to the host by Read
}

type releaser interface{ release() }

// An Option changes how Open opens a device.
type Option func(*Device)

// WithDeadline sets how long one wait for the device may take.
func WithDeadline(d time.Duration) Option { return func(device *Device) { device.deadline = d } }

// Require makes Open open an adapter of that kind or fail. It overrides the environment;
// shader.Best requires nothing.
func Require(kind shader.AdapterKind) Option { return func(device *Device) { device.required = kind } }

// WithoutWaiting makes a browser's device compile without waiting for the compiler's answer, which
// then comes as an error of later work. Only Read, Wait and the end of a readback wait. JavaScript
// may so call Go that compiles: no answer reaches Go during such a call.
func WithoutWaiting() Option { return func(device *Device) { device.hasty = true } }

// Open opens a real GPU, else a CPU driver, else the simulator. Device.Adapter says which. Require
// and the environment variable WGSLAB_ENGINE narrow the choice. If nothing of that kind exists, the
// error wraps shader.ErrNoAdapter.
func Open(options ...Option) (*Device, error) {
	d := &Device{&opened{live: map[releaser]struct{}{}}, context.Background(), DefaultDeadline}
	for _, option := range options {
		option(d)
	}
	var err error
	if d.platform, err = choose(d.required); err != nil {
		return nil, fmt.Errorf("opening a WebGPU device: %w", err)
	}
	if p, ok := d.platform.(interface{ hurry() }); ok && d.hasty {
		p.hurry()
	}
	d.adapter = d.platform.adapter()
	d.memory = memoryBudget(d.adapter.Kind)
	return d, nil
}

// WithContext returns the same device for calls that end when ctx ends. Such a call returns at once
// with the context's error. The device stays usable: the next call waits for the work in progress.
// A driver still finishes the shader; the simulator stops it. If the context's cause is
// shader.ErrNeverEnds, the device is lost.
func (d *Device) WithContext(ctx context.Context) *Device { return &Device{d.opened, ctx, d.deadline} }

// Within returns the same device for calls whose waits have another deadline.
func (d *Device) Within(deadline time.Duration) *Device { return &Device{d.opened, d.ctx, deadline} }

// Adapter describes what the device runs on.
func (d *Device) Adapter() shader.Adapter { return d.adapter }

// Counts returns how often the host has communicated with the device so far.
func (d *Device) Counts() Counts {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts
}

// Lost returns the reason why the device can't be used any more, or nil if nothing has failed.
func (d *Device) Lost() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}

// Close waits for the device to finish its work, then frees it and everything made on it. If the
// work outlasts the deadline or the context, the driver still uses the memory. The memory then
// stays allocated until the process ends.
func (d *Device) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.ready()
	if err == nil {
		err = d.platform.finish(d)
	}
	if d.failed != nil {
		return
	}
	d.failed = fmt.Errorf("%w: it was closed", shader.ErrLost)
	if err != nil {
		return
	}
	for resource := range d.live {
		resource.release()
	}
	for _, m := range d.cache.programs {
		m.release()
	}
	d.live, d.cache.programs = nil, nil
	d.platform.close()
}

// ready returns the reason why the device can't be used, or nil. It first waits for an abandoned
// call, because the driver takes one call at a time.
func (d *Device) ready() error {
	if d.failed != nil || d.abandoned == nil {
		return d.failed
	}
	ended, err := d.outcome(running, d.abandoned)
	if !ended {
		return err
	}
	d.abandoned = nil
	if errors.Is(err, errAborted) {
		return d.lose(err)
	}
	for _, orphan := range d.orphans {
		orphan()
	}
	d.orphans = nil
	return nil
}

// errAborted means that the driver aborted in a call.
var errAborted = errors.New("the graphics driver gave up on the device, as some do when a shader runs too long")

// usable returns the reason why the resource can't be used, or nil. The driver doesn't check: it
// would follow a freed pointer.
func (d *Device) usable(what string, resource releaser) error {
	if err := d.ready(); err != nil {
		return err
	}
	if _, alive := d.live[resource]; !alive {
		return fmt.Errorf("%s was freed already, or belongs to another device", what)
	}
	return nil
}

// free releases one resource before Close.
func (d *Device) free(resource releaser) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, alive := d.live[resource]; !alive || d.failed != nil {
		return
	}
	delete(d.live, resource)
	d.dispose(resource.release)
}

// dispose calls release, but only after any abandoned call that may use the resource. On a lost
// device it never does, because the driver may still be using the resource.
func (d *Device) dispose(release func()) {
	switch {
	case d.failed != nil:
	case d.abandoned != nil:
		d.orphans = append(d.orphans, release)
	default:
		release()
	}
}

// returned returns the error of a call into the driver. If the call panicked, so does returned, and
// the device can't be used any more: nothing is known of its state.
func (d *Device) returned(o fence.Returned[error]) error {
	if o.Failed() {
		d.failed = fmt.Errorf("%w: wgslab has a fault", shader.ErrLost)
	}
	return o.Value()
}

// lose marks the device as gone.
func (d *Device) lose(cause error) error {
	d.failed = fmt.Errorf("%w: %w", shader.ErrLost, cause)
	return d.failed
}

// The tasks that a wait may be for, as its errors name them.
var (
	running   = task{what: "the shader", hint: "is there a loop that never ends?"}
	compiling = func(shader string) task {
		return task{what: "compiling " + shader, hint: "is the shader very long, or is one still running?", compiling: true}
	}
)

type task struct {
	what, hint string
	compiling  bool
}

func (t task) missed(deadline time.Duration) error {
	return &shader.DeadlineError{What: t.what, Compiling: t.compiling, Deadline: deadline, Hint: t.hint}
}

func (t task) interrupted(cause error) error {
	return fmt.Errorf("%s was interrupted: %w", t.what, cause)
}

// interrupted returns the error of a wait whose context has ended.
func (d *Device) interrupted(t task) error {
	if errors.Is(context.Cause(d.ctx), shader.ErrNeverEnds) {
		return d.lose(shader.ErrNeverEnds)
	}
	return t.interrupted(d.ctx.Err())
}

// bounded runs a call into the driver that may block for long, and stops waiting at the deadline
// or when the context ends. The call goes on running. After the deadline nothing may touch the
// device; after the context's end the next call waits for this one, unless the shader is known
// never to end.
func (d *Device) bounded(t task, call func() error) error {
	done := fence.Start(call)
	ended, err := d.outcome(t, done)
	if !ended && d.failed == nil {
		d.abandoned = done
	}
	return err
}

// outcome waits for a call and returns its error. The deadline or the end of the context ends the
// wait; at the deadline the device is lost.
func (d *Device) outcome(t task, call <-chan fence.Returned[error]) (ended bool, err error) {
	wait := usage.Begin()
	timer := time.NewTimer(d.deadline)
	defer timer.Stop()
	for {
		select {
		case o := <-call:
			return true, d.returned(o)
		case <-timer.C:
			if d.late(t, wait) {
				d.failed = t.missed(d.deadline)
				return false, d.failed
			}
			timer.Reset(d.deadline / 20)
		case <-d.ctx.Done():
			return false, d.interrupted(t)
		}
	}
}

// late reports whether a wait for a task has missed the deadline. What runs on the CPU has CPU time
// as its limit, so that a busy machine makes no shader late.
func (d *Device) late(t task, wait usage.Wait) bool {
	if d.adapter.Kind == shader.GPU && !t.compiling {
		return time.Since(wait.Began) > d.deadline
	}
	return wait.Over(d.deadline)
}
