// Package gpu is the small layer over WebGPU that the lessons run on: a Device
// with Buffers, Kernels compiled from WGSL, and Passes that dispatch them. Where
// there is no driver that WebGPU could use, a simulated device does the same.
//
//	device, err := gpu.Open()
//	a, err := gpu.Upload(device, []float32{1, 2, 3})
//	out, err := gpu.Alloc[float32](device, 3)
//	kernel, err := device.Compile("double", source)
//	pass, err := kernel.Pass([3]uint32{1, 1, 1}, a, out)
//	err = device.Run(pass)
//	values, err := gpu.Read[float32](out)
//
// What can go wrong comes back as an error value in the learner's words: a
// *CompileError, a *BindError, a *DeadlineError, or one that wraps ErrNoAdapter
// or ErrLost. The package writes nothing to stdout or stderr.
package gpu

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/shader"
)

// DefaultDeadline is how long the device may take for what it was given before
// the wait for it ends with a *DeadlineError.
const DefaultDeadline = 10 * time.Second

// The errors that others wrap, as the contract of all engines has them.
var (
	ErrNoAdapter = shader.ErrNoAdapter
	ErrLost      = shader.ErrLost
)

// What runs the shaders, as the contract of all engines has it.
type (
	Adapter = shader.Adapter
	Kind    = shader.Kind
	Limits  = shader.Limits
)

// The kinds of adapter.
const (
	GPU       = shader.GPU
	CPU       = shader.CPU
	Simulated = shader.Simulated
)

// A Device is an open adapter with its queue. Its methods may be called from
// many goroutines; they take turns.
type Device struct {
	*opened
	ctx context.Context // ends the calls that are made through this Device
}

// opened is what all Devices of one adapter share.
type opened struct {
	required Kind // "" for the best that is there
	deadline time.Duration
	adapter  Adapter
	platform platform

	mu     sync.Mutex
	live   map[releaser]struct{}
	memory uint64 // bytes that more buffers may take
	failed error  // why the device can no longer be trusted
	counts Counts

	abandoned chan error // a call into the driver that nobody waits for any more; nil when there is none
	orphans   []func()   // to be called when it has ended: releases
}

// Counts is how often the host has talked to the device: what lesson 6 is about.
type Counts struct {
	Submissions int // command buffers handed to the queue by Submit
	Readbacks   int // buffers copied back to the host by Read
}

type releaser interface{ release() }

// An Option changes how Open opens a device.
type Option func(*Device)

// WithDeadline sets how long one wait for the device may take.
func WithDeadline(d time.Duration) Option { return func(device *Device) { device.deadline = d } }

// Require opens an adapter of that kind or none, whatever else there is and
// whatever the environment says.
func Require(kind Kind) Option { return func(device *Device) { device.required = kind } }

// Open opens the best that is there: a real GPU, else a driver for the CPU, else
// the simulator, which needs neither. Adapter says which. Require and the
// environment variable WGSLAB_ENGINE narrow the choice; the error wraps
// ErrNoAdapter when there is nothing of the kind.
func Open(options ...Option) (*Device, error) {
	d := &Device{&opened{deadline: DefaultDeadline, live: map[releaser]struct{}{}}, context.Background()}
	for _, option := range options {
		option(d)
	}
	var err error
	if d.platform, err = choose(d.required); err != nil {
		return nil, fmt.Errorf("opening a WebGPU device: %w", err)
	}
	d.adapter = d.platform.adapter()
	d.memory = memoryBudget(d.adapter.Kind)
	return d, nil
}

// WithContext is the same device for calls that end when ctx does, and for what
// they make. Such a call ends at once, with the context's error. The device stays
// usable: the next call waits until what is under way has ended. A shader runs on,
// but in the simulator, where it ends with the context that it was submitted with.
func (d *Device) WithContext(ctx context.Context) *Device { return &Device{d.opened, ctx} }

// Adapter says what the device runs on.
func (d *Device) Adapter() Adapter { return d.adapter }

// Counts says how often the host has talked to the device so far.
func (d *Device) Counts() Counts {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts
}

// Lost says why the device cannot be used any more; nil while it can, as far as is
// known.
func (d *Device) Lost() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.failed
}

// Close frees the device and everything that was made on it, once it has
// finished what it is doing. Where that takes longer than the deadline or the
// context, the memory is left to the end of the process: the driver still holds
// on to it.
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
	d.failed = fmt.Errorf("%w: it was closed", ErrLost)
	if err != nil {
		return
	}
	for resource := range d.live {
		resource.release()
	}
	d.live = nil
	d.platform.close()
}

// ready says why the device cannot be used; nil when it can. A call that was
// abandoned is waited for first: the driver is not asked two things at once.
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

// errAborted says that the driver gave up in a call.
var errAborted = errors.New("the graphics driver gave the device up, as some do when a shader runs too long")

// usable says why resource cannot be used; nil when it can. The driver would not
// say: it follows the freed pointer.
func (d *Device) usable(what string, resource releaser) error {
	if err := d.ready(); err != nil {
		return err
	}
	if _, alive := d.live[resource]; !alive {
		return fmt.Errorf("%s was freed already, or belongs to another device", what)
	}
	return nil
}

// free releases one resource ahead of Close.
func (d *Device) free(resource releaser) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, alive := d.live[resource]; !alive || d.failed != nil {
		return
	}
	delete(d.live, resource)
	d.dispose(resource.release)
}

// dispose calls release, once no abandoned call may be about the resource any
// more, or never, when the device is lost and the driver may still be at it.
func (d *Device) dispose(release func()) {
	switch {
	case d.failed != nil:
	case d.abandoned != nil:
		d.orphans = append(d.orphans, release)
	default:
		release()
	}
}

// lose marks the device as gone.
func (d *Device) lose(cause error) error {
	d.failed = fmt.Errorf("%w: %w", ErrLost, cause)
	return d.failed
}

// What a wait that misses the deadline is about.
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
	return &DeadlineError{What: t.what, Compiling: t.compiling, Deadline: deadline, Hint: t.hint}
}

func (t task) interrupted(cause error) error {
	return fmt.Errorf("%s was interrupted: %w", t.what, cause)
}

// bounded runs a call into the driver that may block for long, and stops waiting
// for it at the deadline or the end of the context. The call then still runs. At
// the deadline nothing may touch the device any more; after the context's end the
// next call waits for this one.
func (d *Device) bounded(t task, call func() error) error {
	done := make(chan error, 1)
	go func() { done <- call() }()
	ended, err := d.outcome(t, done)
	if !ended && d.failed == nil {
		d.abandoned = done
	}
	return err
}

// outcome is what a call came to, once it has ended. The deadline or the end of
// the context ends the wait for it; at the deadline the device counts as lost.
func (d *Device) outcome(t task, call <-chan error) (ended bool, err error) {
	timer := time.NewTimer(d.deadline)
	defer timer.Stop()
	select {
	case err := <-call:
		return true, err
	case <-timer.C:
		d.failed = t.missed(d.deadline)
		return false, d.failed
	case <-d.ctx.Done():
		return false, t.interrupted(d.ctx.Err())
	}
}
