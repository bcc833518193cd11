package gpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/cogentcore/webgpu/wgpu"
	"github.com/wgslab/wgslab/internal/shader"
)

// A Pass is one dispatch of a kernel over its buffers. It may be submitted any
// number of times.
type Pass struct {
	kernel     *Kernel
	group      *boundGroup
	workgroups [3]uint32
}

// boundGroup ties a bind group to its device's Close.
type boundGroup struct{ *wgpu.BindGroup }

func (g *boundGroup) release() { g.BindGroup.Release() }

// Groups is the number of workgroups of size that cover n elements: n divided
// by size, rounded up.
func Groups(n int, size uint32) uint32 {
	return uint32((uint64(n) + uint64(size) - 1) / uint64(size))
}

// Pass binds buffers to the kernel, the first to @binding(0), the second to
// @binding(1) and so on, for a dispatch of workgroups. Buffers that do not fit
// come back as a *BindError, a loop that cannot end as an *EndlessError.
func (k *Kernel) Pass(workgroups [3]uint32, buffers ...*Buffer) (Pass, error) {
	if err := k.source.CheckDispatch(k.device.adapter, workgroups, boundOf(buffers)); err != nil {
		return Pass{}, err
	}
	d := k.device
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable("the kernel "+k.Name, k); err != nil {
		return Pass{}, err
	}
	entries := make([]wgpu.BindGroupEntry, len(buffers))
	for i, b := range buffers {
		if err := d.usable(fmt.Sprintf("the buffer for @binding(%d)", i), b); err != nil {
			return Pass{}, err
		}
		entries[i] = wgpu.BindGroupEntry{Binding: uint32(i), Buffer: b.handle, Size: b.bytes}
	}
	var group *wgpu.BindGroup
	var err error
	scoped := d.guarded(func() {
		group, err = d.device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: k.layout, Entries: entries})
	})
	if err := errors.Join(err, scoped); err != nil {
		return Pass{}, &BindError{Shader: k.Name, Binding: -1, Message: err.Error()}
	}
	bound := &boundGroup{group}
	d.live[bound] = struct{}{}
	return Pass{kernel: k, group: bound, workgroups: workgroups}, nil
}

// Kernel is the kernel that the pass dispatches.
func (p Pass) Kernel() *Kernel { return p.kernel }

// Workgroups is how many workgroups are dispatched in x, y and z.
func (p Pass) Workgroups() [3]uint32 { return p.workgroups }

// boundOf is what the buffers are, for the validation.
func boundOf(buffers []*Buffer) []shader.Bound {
	bound := make([]shader.Bound, len(buffers))
	for i, b := range buffers {
		if b != nil {
			bound[i] = shader.Bound{Element: b.element, Bytes: b.bytes, ID: b}
		}
	}
	return bound
}

// Free gives the pass's bind group back ahead of the device's Close.
func (p Pass) Free() { p.kernel.device.free(p.group) }

// Submit records the passes in one command buffer and hands it to the queue. It
// does not wait: the device works while the host goes on. Passes run in order;
// each sees what the ones before it wrote.
func (d *Device) Submit(passes ...Pass) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.submit(passes, nil); err != nil {
		return err
	}
	_, err := d.poll() // gives back what finished submissions held
	return err
}

// Wait returns when the device has finished all that was submitted.
func (d *Device) Wait() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return err
	}
	return d.await(running, nil)
}

// Run submits the passes and waits for them.
func (d *Device) Run(passes ...Pass) error {
	if err := d.Submit(passes...); err != nil {
		return err
	}
	return d.Wait()
}

func (d *Device) submit(passes []Pass, queries *wgpu.QuerySet) error {
	if err := d.submittable(passes); err != nil {
		return err
	}
	d.counts.Submissions++
	return d.encode(func(encoder *wgpu.CommandEncoder) error {
		if queries == nil {
			encodePass(encoder, passes, nil, 0)
			return nil
		}
		for i := range passes { // the device's clock is read before and after each
			encodePass(encoder, passes[i:i+1], queries, uint32(2*i))
		}
		return nil
	})
}

// submittable says why the passes cannot be submitted; nil when they can.
func (d *Device) submittable(passes []Pass) error {
	if err := d.ready(); err != nil {
		return err
	}
	for i, p := range passes {
		if p.kernel == nil {
			return fmt.Errorf("pass %d is empty: it was not made by Kernel.Pass", i)
		}
		if _, alive := d.live[p.group]; !alive {
			return d.usable("pass "+strconv.Itoa(i), p.group)
		}
		if _, alive := d.live[p.kernel]; !alive {
			return d.usable("the kernel "+p.kernel.Name, p.kernel)
		}
	}
	return nil
}

// encode records one command buffer and hands it to the queue. That can block:
// Mesa's CPU driver waits there for what was submitted before.
func (d *Device) encode(record func(*wgpu.CommandEncoder) error) error {
	err := d.bounded(running, func() error {
		var err error
		scoped := d.guarded(func() { err = d.encodeUnguarded(record) })
		return errors.Join(err, scoped)
	})
	switch {
	case err == nil || d.failed != nil || d.abandoned != nil:
		return err
	case errors.Is(err, errAborted):
		return d.lose(errAborted)
	}
	return fmt.Errorf("encoding commands: %w", err)
}

func (d *Device) encodeUnguarded(record func(*wgpu.CommandEncoder) error) error {
	commands, err := d.recordCommands(record)
	if err != nil {
		return err
	}
	if err := submitCommands(d.queue, commands); err != nil {
		return err // nobody may touch the device any more, to release commands either
	}
	commands.Release()
	return nil
}

func (d *Device) recordCommands(record func(*wgpu.CommandEncoder) error) (*wgpu.CommandBuffer, error) {
	encoder, err := d.device.CreateCommandEncoder(nil)
	if err != nil {
		return nil, err
	}
	defer encoder.Release()
	if err := record(encoder); err != nil {
		return nil, err
	}
	return encoder.Finish(nil)
}

// Time submits the passes, waits for them, and says how long each took on the
// device. It fails where the adapter has no timestamps.
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
	if d.tick == 0 {
		if err := d.calibrate(passes[:1]); err != nil {
			return nil, err
		}
	}
	ticks, err := d.ticks(passes)
	if err != nil {
		return nil, err
	}
	times := make([]time.Duration, len(passes))
	for i := range times {
		times[i] = max(0, time.Duration(ticks[2*i+1]-ticks[2*i])) * d.tick / tickScale
	}
	return times, nil
}

// tickScale keeps three decimals of the length of a tick in nanoseconds.
const tickScale = 1000

// calibrate measures how long a timestamp tick is, which this wgpu-native
// does not tell: 1 ns on most devices, 10 ns and more on others. It runs the passes
// twice, a while apart, and sets the host's clock beside the device's.
func (d *Device) calibrate(passes []Pass) error {
	const apart = 30 * time.Millisecond
	if _, err := d.ticks(passes); err != nil { // the first time takes long, and not on the device
		return err
	}
	first, err := d.ticks(passes)
	if err != nil {
		return err
	}
	started := time.Now()
	time.Sleep(apart)
	second, err := d.ticks(passes)
	if err != nil {
		return err
	}
	elapsed := time.Since(started)
	if second[1] <= first[1] {
		return fmt.Errorf("the clock of %s stands still", d.adapter.Name)
	}
	perTick := float64(elapsed) / float64(second[1]-first[1])
	if perTick > 0.8 && perTick < 1.25 {
		perTick = 1 // most devices tick in nanoseconds exactly
	}
	d.tick = time.Duration(perTick * tickScale)
	return nil
}

// ticks runs the passes and reads the device's clock before and after each.
func (d *Device) ticks(passes []Pass) ([]uint64, error) {
	const bytesPerQuery = 8
	n := uint32(2 * len(passes))
	bytes := uint64(n) * bytesPerQuery
	var queries *wgpu.QuerySet
	var err error
	scoped := d.guarded(func() {
		queries, err = d.device.CreateQuerySet(&wgpu.QuerySetDescriptor{Type: wgpu.QueryTypeTimestamp, Count: n})
	})
	if err := errors.Join(err, scoped); err != nil {
		return nil, fmt.Errorf("making a query set: %w", err)
	}
	defer d.dispose(queries)
	resolved, err := d.newBuffer(bytes, wgpu.BufferUsageQueryResolve|wgpu.BufferUsageCopySrc)
	if err != nil {
		return nil, err
	}
	defer d.dispose(resolved)
	staging, err := d.stagingFor(bytes)
	if err != nil {
		return nil, err
	}
	if err := d.submit(passes, queries); err != nil {
		return nil, err
	}
	if err := d.encode(func(encoder *wgpu.CommandEncoder) error {
		return errors.Join(
			encoder.ResolveQuerySet(queries, 0, n, resolved, 0),
			encoder.CopyBufferToBuffer(resolved, 0, staging, 0, bytes))
	}); err != nil {
		return nil, err
	}
	raw := make([]byte, bytes)
	if err := d.copyOut(staging, raw); err != nil {
		return nil, err
	}
	ticks := make([]uint64, n)
	for i := range ticks {
		ticks[i] = binary.LittleEndian.Uint64(raw[i*bytesPerQuery:])
	}
	return ticks, nil
}
