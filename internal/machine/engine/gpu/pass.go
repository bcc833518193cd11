package gpu

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A Pass is one dispatch of a pipeline over its buffers. You may submit it any number of times.
type Pass struct {
	pipeline   *Pipeline
	groups     []*Group // by their number
	workgroups [3]uint32
	buffers    []*Buffer // what Pass was given; nil for a pass of other calls
	counts     *Buffer   // holds the workgroups of an indirect dispatch; else nil
	offset     uint64    // of the workgroups, in bytes
}

// Groups returns the number of workgroups of size that cover n elements: n divided by size, rounded
// up.
func Groups(n int, size uint32) uint32 {
	return uint32((uint64(n) + uint64(size) - 1) / uint64(size))
}

// Pass binds buffers to the pipeline for a dispatch of workgroups: the first to @binding(0), the
// second to @binding(1) and so on. It returns a *BindError for buffers that do not fit, and an
// *EndlessError for a loop that cannot end.
func (k *Pipeline) Pass(workgroups [3]uint32, buffers ...*Buffer) (Pass, error) {
	if err := k.source.CheckDispatch(k.device.adapter, workgroups, boundOf(buffers)); err != nil {
		return Pass{}, err
	}
	d := k.device
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable("the shader "+k.Name, k); err != nil {
		return Pass{}, err
	}
	for i, b := range buffers {
		if err := d.usable(fmt.Sprintf("the buffer for @binding(%d)", i), b); err != nil {
			return Pass{}, err
		}
	}
	group, err := k.bind(0, wholes(buffers))
	if err != nil {
		return Pass{}, err
	}
	return Pass{pipeline: k, groups: []*Group{group}, workgroups: workgroups, buffers: slices.Clone(buffers)}, nil
}

// Pipeline returns the pipeline that the pass dispatches.
func (p Pass) Pipeline() *Pipeline { return p.pipeline }

// Workgroups returns the number of workgroups that the pass dispatches in x, y and z.
func (p Pass) Workgroups() [3]uint32 { return p.workgroups }

// Buffers returns the buffers that the pass binds, in the order of their bindings.
func (p Pass) Buffers() []*Buffer { return p.buffers }

// boundOf describes the buffers to the validation.
func boundOf(buffers []*Buffer) []shader.Bound {
	bound := make([]shader.Bound, len(buffers))
	for i, b := range buffers {
		if b != nil {
			bound[i] = shader.Bound{Element: b.element, Bytes: b.bytes, ID: b}
		}
	}
	return bound
}

// Free frees the pass's bind group before the device's Close.
func (p Pass) Free() {
	for _, g := range p.groups {
		g.Free()
	}
}

// Submit records the passes in one command buffer and puts it on the queue. It does not wait: the
// device and the host work in parallel. Passes run in order, and each sees the writes of the
// earlier ones.
func (d *Device) Submit(passes ...Pass) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.submittable(passes); err != nil {
		return err
	}
	d.submitted(passes)
	return d.platform.submit(d, onePass(passes))
}

// submitted counts a submission.
func (d *Device) submitted(passes []Pass) {
	d.counts.Submissions++
	if d.watch != nil {
		d.watch(passes)
	}
}

// Watch calls watch with the passes of each later submission, until Watch gets another function or
// nil. watch must not use the device.
func (d *Device) Watch(watch func(passes []Pass)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watch = watch
}

// Wait returns when the device has finished all submitted work.
func (d *Device) Wait() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return err
	}
	return d.platform.wait(d)
}

// Run submits the passes and waits for them.
func (d *Device) Run(passes ...Pass) error {
	if err := d.Submit(passes...); err != nil {
		return err
	}
	return d.Wait()
}

// submittable returns the reason why the passes can't be submitted, or nil.
func (d *Device) submittable(passes []Pass) error {
	if err := d.ready(); err != nil {
		return err
	}
	for i, p := range passes {
		if p.pipeline == nil {
			return fmt.Errorf("pass %d is empty: it was not made by Pass", i)
		}
		for _, g := range p.groups {
			if _, alive := d.live[g]; !alive {
				return d.usable("pass "+strconv.Itoa(i), g)
			}
		}
		if p.counts != nil {
			if err := d.usable("the buffer with the number of workgroups", p.counts); err != nil {
				return err
			}
		}
		if _, alive := d.live[p.pipeline]; !alive {
			return d.usable("the shader "+p.pipeline.Name, p.pipeline)
		}
	}
	return nil
}

// Time submits the passes, waits for them, and returns how long each took on the device. The
// simulator uses the host's clock. Time fails if the adapter has no timestamps.
func (d *Device) Time(passes ...Pass) ([]time.Duration, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return nil, err
	}
	if !d.adapter.Timestamps {
		return nil, fmt.Errorf("%s has no timestamps", d.adapter.Name)
	}
	if len(passes) == 0 {
		return nil, nil
	}
	if err := d.submittable(passes); err != nil {
		return nil, err
	}
	d.submitted(passes)
	return d.platform.time(d, passes)
}
