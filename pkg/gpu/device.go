// Package gpu is the small layer over WebGPU that the lessons run on: a Device
// with Buffers, Kernels compiled from WGSL, and Passes that dispatch them.
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
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cogentcore/webgpu/wgpu"
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

func init() {
	wgpu.SetLogLevel(wgpu.LogLevelOff)
	// Mesa's device-select layer prints about the desktop session on stderr and
	// only sorts adapters; Open sorts them itself.
	if os.Getenv("NODEVICE_SELECT") == "" {
		os.Setenv("NODEVICE_SELECT", "1")
	}
}

// What runs the shaders, as the contract of all engines has it.
type (
	Adapter = shader.Adapter
	Kind    = shader.Kind
	Limits  = shader.Limits
)

// The kinds of adapter.
const (
	GPU = shader.GPU
	CPU = shader.CPU
)

// A Device is an open adapter with its queue. Its methods may be called from
// many goroutines; they take turns.
type Device struct {
	*opened
	ctx context.Context // ends the calls that are made through this Device
}

// opened is what all Devices of one adapter share.
type opened struct {
	deadline time.Duration
	adapter  Adapter

	mu        sync.Mutex
	instance  *wgpu.Instance
	selected  *wgpu.Adapter
	device    *wgpu.Device
	queue     *wgpu.Queue
	staging   *wgpu.Buffer // reused by every Read
	stagingSz uint64
	live      map[releaser]struct{}
	memory    uint64 // bytes that more buffers may take
	failed    error  // why the device can no longer be trusted
	counts    Counts
	tick      time.Duration // nanoseconds a timestamp tick, times tickScale; 0 until calibrated

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

// Open opens the best adapter: a real GPU where there is one, a CPU adapter
// otherwise; Adapter says which. The error wraps ErrNoAdapter when there is none.
func Open(options ...Option) (*Device, error) {
	d := &Device{&opened{deadline: DefaultDeadline, live: map[releaser]struct{}{}}, context.Background()}
	for _, option := range options {
		option(d)
	}
	if err := d.open(); err != nil {
		d.releaseHandles()
		return nil, fmt.Errorf("opening a WebGPU device: %w", err)
	}
	return d, nil
}

// WithContext is the same device for calls that end when ctx does, and for what
// they make. Such a call ends at once, with the context's error. The device stays
// usable: the next call waits until what is under way has ended.
func (d *Device) WithContext(ctx context.Context) *Device { return &Device{d.opened, ctx} }

func (d *Device) open() (err error) {
	if d.instance, err = createInstance(); err != nil {
		return err
	}
	if d.selected = best(d.instance.EnumerateAdapters(nil)); d.selected == nil {
		return fmt.Errorf("%w: no Vulkan, Metal or DX12 driver answered; install Mesa's CPU driver (Debian, Ubuntu: mesa-vulkan-drivers) or your GPU's, then run `wgslab doctor`", ErrNoAdapter)
	}
	d.adapter = describe(d.selected)
	d.memory = memoryBudget(d.adapter.Kind)
	if d.device, err = d.selected.RequestDevice(d.descriptor()); err != nil {
		return fmt.Errorf("%w: the driver of %s gave no device: %v", ErrNoAdapter, d.adapter, err)
	}
	d.queue = d.device.GetQueue()
	return nil
}

// preference orders adapters; those that are not listed come last.
var preference = map[wgpu.AdapterType]int{
	wgpu.AdapterTypeDiscreteGPU: 3, wgpu.AdapterTypeIntegratedGPU: 2, wgpu.AdapterTypeCPU: 1,
}

// best picks the adapter to use and releases the others.
func best(adapters []*wgpu.Adapter) *wgpu.Adapter {
	var chosen *wgpu.Adapter
	for _, a := range adapters {
		if chosen == nil || preference[a.GetInfo().AdapterType] > preference[chosen.GetInfo().AdapterType] {
			a, chosen = chosen, a
		}
		if a != nil {
			a.Release()
		}
	}
	return chosen
}

func describe(adapter *wgpu.Adapter) Adapter {
	info := adapter.GetInfo()
	a := Adapter{
		Name:       info.DriverDescription, // this wgpu-native puts the device's name here
		Kind:       GPU,
		Backend:    strings.ToLower(info.BackendType.String()),
		Timestamps: adapter.HasFeature(wgpu.FeatureNameTimestampQuery),
		Limits:     adapterLimits(adapter),
	}
	if info.AdapterType == wgpu.AdapterTypeCPU {
		a.Kind = CPU
	}
	return a
}

// descriptor asks for all that the adapter has of what the lessons use.
func (d *Device) descriptor() *wgpu.DeviceDescriptor {
	limits, adapter := wgpu.DefaultLimits(), d.adapter.Limits
	limits.MaxBufferSize = adapter.BufferBytes
	limits.MaxStorageBufferBindingSize = adapter.StorageBindingBytes
	limits.MaxUniformBufferBindingSize = adapter.UniformBindingBytes
	limits.MaxStorageBuffersPerShaderStage = adapter.StorageBuffersPerShader
	limits.MaxComputeWorkgroupStorageSize = adapter.WorkgroupStorageBytes
	limits.MaxComputeInvocationsPerWorkgroup = adapter.InvocationsPerWorkgroup
	limits.MaxComputeWorkgroupSizeX = adapter.WorkgroupSize[0]
	limits.MaxComputeWorkgroupSizeY = adapter.WorkgroupSize[1]
	limits.MaxComputeWorkgroupSizeZ = adapter.WorkgroupSize[2]
	limits.MaxComputeWorkgroupsPerDimension = adapter.WorkgroupsPerDimension
	descriptor := &wgpu.DeviceDescriptor{RequiredLimits: &wgpu.RequiredLimits{Limits: limits}}
	if d.adapter.Timestamps {
		descriptor.RequiredFeatures = []wgpu.FeatureName{wgpu.FeatureNameTimestampQuery}
	}
	return descriptor
}

// Adapter says what the device runs on.
func (d *Device) Adapter() Adapter { return d.adapter }

// Counts says how often the host has talked to the device so far.
func (d *Device) Counts() Counts {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.counts
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
		err = d.finish()
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
	if d.staging != nil {
		d.staging.Release()
	}
	if _, err := d.poll(); err == nil { // gives back what was released
		d.releaseHandles()
	}
}

// finish hands over the writes that no submission has taken along yet, and waits
// for them and for all before: wgpu-native never frees a device with writes
// pending.
func (d *Device) finish() error {
	if err := d.encode(func(*wgpu.CommandEncoder) error { return nil }); err != nil {
		return err
	}
	return d.await(running, nil)
}

func (d *Device) releaseHandles() {
	if d.queue != nil {
		d.queue.Release()
	}
	if d.device != nil {
		d.device.Release()
	}
	if d.selected != nil {
		d.selected.Release()
	}
	if d.instance != nil && !driverKept.CompareAndSwap(false, true) {
		d.instance.Release()
	}
}

// driverKept: the first instance to be released stays to the end of the process
// instead, and with it the driver's libraries. NVIDIA's cannot be loaded more
// than some fifty times in one process.
var driverKept atomic.Bool

// dispose releases what only a moment ago was needed, unless the device is lost
// and the driver may still be at it.
func (d *Device) dispose(resource interface{ Release() }) {
	switch {
	case d.failed != nil:
	case d.abandoned != nil:
		d.orphans = append(d.orphans, resource.Release)
	default:
		resource.Release()
	}
}

// ready says why the device cannot be used; nil when it can. A call that was
// abandoned is waited for first: the driver is not asked two things at once.
func (d *Device) ready() error {
	if d.failed != nil || d.abandoned == nil {
		return d.failed
	}
	timer := time.NewTimer(d.deadline)
	defer timer.Stop()
	select {
	case err := <-d.abandoned:
		d.abandoned = nil
		if errors.Is(err, errAborted) {
			return d.lose(err)
		}
	case <-timer.C:
		d.failed = running.missed(d.deadline)
		return d.failed
	case <-d.ctx.Done():
		return running.interrupted(d.ctx.Err())
	}
	for _, orphan := range d.orphans {
		orphan()
	}
	d.orphans = nil
	return nil
}

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
	if d.abandoned != nil { // the call under way may be about it
		d.orphans = append(d.orphans, resource.release)
		return
	}
	resource.release()
}

// await polls the device until done, or until the deadline or the context ends
// the wait. At the deadline the device counts as lost: it may run the shader for
// ever. (wgpu's own waiting poll gives up after five seconds without a word.)
func (d *Device) await(t task, done func() bool) error {
	started := time.Now()
	pause := firstPause
	for {
		idle, err := d.poll()
		if err != nil {
			return err
		}
		if done == nil && idle || done != nil && done() {
			return nil
		}
		if err := d.ctx.Err(); err != nil {
			return t.interrupted(err)
		}
		waited := time.Since(started)
		if waited > d.deadline {
			d.failed = t.missed(d.deadline)
			return d.failed
		}
		if waited < d.eager() {
			runtime.Gosched()
			continue
		}
		nap(pause)
		pause = min(2*pause, lastPause)
	}
}

// A wait asks again at once for a while, and then ever less often. Even a nap is
// long beside a small pass on a GPU; a CPU adapter needs the processor for the
// shader itself. It is no time.Sleep, which takes a millisecond at least.
const (
	eagerOnGPU = 2 * time.Millisecond
	eagerOnCPU = 100 * time.Microsecond
	firstPause = 20 * time.Microsecond
	lastPause  = time.Millisecond
)

func (d *Device) eager() time.Duration {
	if d.adapter.Kind == GPU {
		return eagerOnGPU
	}
	return eagerOnCPU
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
// the deadline nothing may touch the device any more, so it counts as lost; after
// the context's end the next call waits for this one.
func (d *Device) bounded(t task, call func() error) error {
	done := make(chan error, 1)
	go func() { done <- call() }()
	timer := time.NewTimer(d.deadline)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		d.failed = t.missed(d.deadline)
		return d.failed
	case <-d.ctx.Done():
		d.abandoned = done
		return t.interrupted(d.ctx.Err())
	}
}
