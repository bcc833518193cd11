package gpu

import (
	"fmt"
	"math"

	"github.com/wgslab/wgslab/internal/machine/engine/usage"
)

// A QueueCommand is a step of a submission: a ComputePass, a BufferCopy, a BufferClear, a Timestamp
// or a QueryResolve. The caller has validated it: offsets and sizes fit, and usages allow it.
type QueueCommand interface {
	// needs returns what must be alive when the command is submitted.
	needs() ([]Pass, []*Buffer, *Queries)
}

// A ComputePass runs dispatches in order. Each sees the writes of the earlier ones.
type ComputePass struct {
	Dispatches []Pass
	Times      *Queries // receives the times at which the pass begins and ends; nil for none
	Begin, End uint32   // the numbers of their queries, or NoQuery
}

// NoQuery says that a pass doesn't write a timestamp.
const NoQuery = math.MaxUint32

// A BufferCopy copies bytes from one buffer to another.
type BufferCopy struct {
	From, To                    *Buffer
	FromOffset, ToOffset, Bytes uint64
}

// A BufferClear sets bytes of a buffer to zero.
type BufferClear struct {
	Buffer        *Buffer
	Offset, Bytes uint64
}

// A Timestamp writes the time to a query.
type Timestamp struct {
	To    *Queries
	Query uint32
}

// A QueryResolve copies the values of queries to a buffer, 8 bytes each.
type QueryResolve struct {
	From         *Queries
	First, Count uint32
	To           *Buffer
	Offset       uint64
}

func (c ComputePass) needs() ([]Pass, []*Buffer, *Queries)  { return c.Dispatches, nil, c.Times }
func (c BufferCopy) needs() ([]Pass, []*Buffer, *Queries)   { return nil, []*Buffer{c.From, c.To}, nil }
func (c BufferClear) needs() ([]Pass, []*Buffer, *Queries)  { return nil, []*Buffer{c.Buffer}, nil }
func (c Timestamp) needs() ([]Pass, []*Buffer, *Queries)    { return nil, nil, c.To }
func (c QueryResolve) needs() ([]Pass, []*Buffer, *Queries) { return nil, []*Buffer{c.To}, c.From }

// onePass returns the commands of a submission that only dispatches.
func onePass(passes []Pass) []QueueCommand { return []QueueCommand{ComputePass{Dispatches: passes}} }

// SubmitCommands records the commands in one command buffer and puts it on the queue. It does not
// wait. Each command sees the writes of the earlier ones.
func SubmitCommands(d *Device, commands []QueueCommand) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return err
	}
	for _, c := range commands {
		if err := d.submittableCommand(c); err != nil {
			return err
		}
	}
	d.counts.Submissions++
	return d.platform.submit(d, commands)
}

func (d *Device) submittableCommand(c QueueCommand) error {
	passes, buffers, queries := c.needs()
	if err := d.submittable(passes); err != nil {
		return err
	}
	for _, b := range buffers {
		if err := d.usable("the buffer", b); err != nil {
			return err
		}
	}
	if queries != nil {
		return d.usable("the query set", queries)
	}
	return nil
}

// Poll reports whether the device has finished all submitted work, without waiting for it. If it
// has been busy for longer than the deadline, the device is lost.
func Poll(d *Device) (idle bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return false, err
	}
	idle, err = d.platform.poll(d)
	switch {
	case idle || err != nil:
		d.busy = nil
	case d.busy == nil:
		wait := usage.Begin()
		d.busy = &wait
	case d.late(running, *d.busy):
		d.failed = running.missed(d.deadline)
		return false, d.failed
	}
	return idle, err
}

// NewBuffer makes a buffer of any usage and size, all zero. The size is a multiple of 4.
func NewBuffer(d *Device, bytes uint64, usage BufferUsage) (*Buffer, error) {
	b := &Buffer{device: d, bytes: bytes, usage: usage}
	if err := d.create(b); err != nil {
		return nil, err
	}
	return b, nil
}

// A Range is the part of a buffer that is bound to a binding, in bytes.
type Range struct {
	Binding       uint32
	Buffer        *Buffer
	Offset, Bytes uint64
}

// wholes binds whole buffers to bindings, the first to 0.
func wholes(buffers []*Buffer) []Range {
	ranges := make([]Range, len(buffers))
	for i, b := range buffers {
		ranges[i] = Range{Binding: uint32(i), Buffer: b, Bytes: b.bytes}
	}
	return ranges
}

// A Group is a bind group of a pipeline.
type Group struct {
	device *Device
	bound  bindGroup
}

// Free frees the group before the device's Close.
func (g *Group) Free() { g.device.free(g) }

func (g *Group) release() { g.bound.release() }

// Bind makes the bind group of a number from ranges, one for each binding that the pipeline has in
// it.
func Bind(k *Pipeline, number uint32, ranges []Range) (*Group, error) {
	d := k.device
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable("the shader "+k.Name, k); err != nil {
		return nil, err
	}
	for _, r := range ranges {
		if err := d.usable(fmt.Sprintf("the buffer for @binding(%d)", r.Binding), r.Buffer); err != nil {
			return nil, err
		}
	}
	return k.bind(number, ranges)
}

func (k *Pipeline) bind(number uint32, ranges []Range) (*Group, error) {
	d := k.device
	bound, err := d.platform.bind(k.made.program, number, ranges)
	if err != nil {
		return nil, err
	}
	g := &Group{d, bound}
	d.live[g] = struct{}{}
	return g, nil
}

// Dispatch returns a pass with its bind groups, by their numbers. It checks nothing.
func Dispatch(k *Pipeline, workgroups [3]uint32, groups []*Group) Pass {
	return Pass{pipeline: k, groups: groups, workgroups: workgroups}
}

// DispatchIndirect is Dispatch for workgroups that are in a buffer when the pass runs: three u32,
// from an offset in bytes.
func DispatchIndirect(k *Pipeline, counts *Buffer, offset uint64, groups []*Group) Pass {
	return Pass{pipeline: k, groups: groups, counts: counts, offset: offset}
}

// Queries is a set of timestamps on the device.
type Queries struct {
	device *Device
	set    queries
}

// NewQueries makes a set of timestamps, all zero.
func NewQueries(d *Device, count uint32) (*Queries, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return nil, err
	}
	set, err := d.platform.newQueries(count)
	if err != nil {
		return nil, err
	}
	q := &Queries{d, set}
	d.live[q] = struct{}{}
	return q, nil
}

// Free frees the queries before the device's Close.
func (q *Queries) Free() { q.device.free(q) }

func (q *Queries) release() { q.set.release() }

// A Readback is a buffer on its way to the host. Until End, the device must not use the buffer.
type Readback struct {
	device *Device
	buffer *Buffer
	part   reading
}

// StartRead begins to read bytes of a buffer with UsageMapRead, after all submitted work. The
// offset is a multiple of 8, and bytes of 4.
func StartRead(b *Buffer, offset, bytes uint64) (*Readback, error) {
	d := b.device
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable("the buffer", b); err != nil {
		return nil, err
	}
	d.counts.Readbacks++
	part, err := d.platform.startRead(b.memory, offset, bytes)
	if err != nil {
		return nil, err
	}
	return &Readback{d, b, part}, nil
}

// Done reports whether the bytes have arrived. Poll lets them arrive.
func (r *Readback) Done() (bool, error) {
	r.device.mu.Lock()
	defer r.device.mu.Unlock()
	if err := r.device.ready(); err != nil {
		return false, err
	}
	return r.part.done(r.device)
}

// Copy copies bytes that have arrived, from an offset within what was read.
func (r *Readback) Copy(into []byte, from uint64) { r.part.copy(into, from) }

// End lets the device use the buffer again.
func (r *Readback) End() error {
	r.device.mu.Lock()
	defer r.device.mu.Unlock()
	if err := r.device.usable("the buffer", r.buffer); err != nil {
		return err
	}
	return r.part.end(r.device)
}
