package webgpu

import "github.com/wgslab/wgslab/internal/machine/engine/gpu"

// An encoderState is whether an encoder takes commands (§ Command Encoding).
type encoderState int

const (
	encoderOpen encoderState = iota
	encoderLocked
	encoderEnded
)

// encoding is what command and pass encoders have in common.
type encoding struct {
	HostObject
	state       encoderState
	debugGroups int
	broken      error // the first mistake in a command, which makes the encoder invalid
}

// A CommandEncoder records commands.
type CommandEncoder struct {
	encoding
	recorded
}

// recorded is what an encoder hands to its command buffer.
type recorded struct {
	commands []gpu.QueueCommand
	steps    []Step
	buffers  map[*Buffer]bool
	held     []interface{ drop() } // what the commands keep alive
}

func (r *recorded) add(command gpu.QueueCommand, step Step, buffers ...*Buffer) {
	r.commands, r.steps = append(r.commands, command), append(r.steps, step)
	for _, b := range buffers {
		r.hold(b)
	}
}

func (r *recorded) hold(b *Buffer) {
	if r.buffers == nil {
		r.buffers = map[*Buffer]bool{}
	}
	if !r.buffers[b] {
		r.buffers[b] = true
		b.users++
		r.held = append(r.held, b)
	}
}

func (r *recorded) dropAll() {
	for _, h := range r.held {
		h.drop()
	}
	r.held = nil
}

// CreateCommandEncoder makes an encoder.
func (d *Device) CreateCommandEncoder(at HostSite, label string) (*CommandEncoder, error) {
	e := &CommandEncoder{}
	d.begin("createCommandEncoder", at, &d.HostObject, &e.HostObject, 0)
	defer d.record.mu.Unlock()
	d.object(&e.HostObject, "command encoder", label, at)
	keep(d.record, &d.record.Encoders, e)
	return e, d.alive(at)
}

// takes returns the mistake of a command that comes at the wrong time, or nil.
func (e *encoding) takes(at HostSite, call string) *Mistake {
	d := e.device
	f := facts{"call": spelled(call), "object": &e.HostObject}
	switch {
	case e.released:
		return d.mistake("released", at, nil, f)
	case e.state == encoderLocked:
		return d.mistake("encoder-locked", at, &e.HostObject, f)
	case e.state == encoderEnded && e.Kind == "compute pass":
		return d.mistake("pass-ended", at, nil, f)
	case e.state == encoderEnded:
		return d.mistake("encoder-finished", at, nil, f)
	}
	return nil
}

// reject breaks the encoder with a mistake. WebGPU reports it when the encoder is finished; a
// program for Go's binding wants it at once.
func (e *encoding) reject(call int, m *Mistake) error {
	e.device.record.wrong(call, m)
	if e.broken == nil && e.state != encoderEnded {
		e.broken = m
	}
	if e.state == encoderEnded {
		e.device.report(ErrorFilterValidation, m)
	}
	return m
}

// CopyBufferToBuffer copies bytes (§ Buffer Copy Commands).
func (e *CommandEncoder) CopyBufferToBuffer(at HostSite, from *Buffer, fromOffset uint64, to *Buffer, toOffset, bytes uint64) error {
	d := e.device
	call := d.begin("copyBufferToBuffer", at, &e.HostObject, nil, bytes)
	defer d.record.mu.Unlock()
	f := d.repairs("copyBufferToBuffer")
	if f != nil && f.Skip {
		return nil
	}
	d.buffer(f, "source", &from)
	d.buffer(f, "destination", &to)
	number(f, "sourceOffset", &fromOffset)
	number(f, "destinationOffset", &toOffset)
	number(f, "size", &bytes)
	m := e.takes(at, "copyBufferToBuffer")
	if m == nil {
		m = d.checkCopy(at, from, fromOffset, to, toOffset, bytes)
	}
	if m != nil {
		return e.reject(call, m)
	}
	e.add(gpu.BufferCopy{From: from.memory, FromOffset: fromOffset, To: to.memory, ToOffset: toOffset, Bytes: bytes},
		Step{At: at, Copy: &CopyRun{From: from, To: to, FromOffset: fromOffset, ToOffset: toOffset, Bytes: bytes}}, from, to)
	return nil
}

func (d *Device) checkCopy(at HostSite, from *Buffer, fromOffset uint64, to *Buffer, toOffset, bytes uint64) *Mistake {
	for _, b := range []*Buffer{from, to} {
		if b == nil {
			return d.missing(at, "copyBufferToBuffer", "buffer")
		}
		if m := d.usable(at, &b.HostObject); m != nil {
			return m
		}
	}
	multiple := func(what string, n uint64) *Mistake {
		return d.mistake("copy-multiple", at, nil, facts{"what": what, "given": n})
	}
	switch {
	case from.Usage&gpu.UsageCopySrc == 0 && (to.Usage&gpu.UsageCopyDst == 0 || from.Usage&gpu.UsageMapRead != 0) && from.Usage&gpu.UsageCopyDst != 0 && to.Usage&gpu.UsageCopySrc != 0:
		return d.mistake("copy-exchanged", at, nil, facts{"from": from, "to": to})
	case from.Usage&gpu.UsageCopySrc == 0:
		return d.mistake("copy-usage-source", at, &from.HostObject, facts{"buffer": from, "usage": from.Usage})
	case to.Usage&gpu.UsageCopyDst == 0:
		return d.mistake("copy-usage-destination", at, &to.HostObject, facts{"buffer": to, "usage": to.Usage})
	case bytes%wordBytes != 0:
		return multiple("size", bytes)
	case fromOffset%wordBytes != 0:
		return multiple("source offset", fromOffset)
	case toOffset%wordBytes != 0:
		return multiple("destination offset", toOffset)
	case !within(fromOffset, bytes, from.Size):
		return d.mistake("copy-source-range", at, &from.HostObject, facts{"buffer": from, "given": fromOffset + bytes, "needed": from.Size})
	case !within(toOffset, bytes, to.Size):
		return d.mistake("copy-destination-range", at, &to.HostObject, facts{"buffer": to, "given": toOffset + bytes, "needed": to.Size})
	case from == to:
		return d.mistake("copy-same", at, nil, facts{"buffer": from})
	}
	return nil
}

// ClearBuffer sets bytes to zero (§ Buffer Copy Commands). WholeSize means up to the end.
func (e *CommandEncoder) ClearBuffer(at HostSite, b *Buffer, offset, bytes uint64) error {
	d := e.device
	if bytes == WholeSize && b != nil {
		bytes = b.Size - min(offset, b.Size)
	}
	call := d.begin("clearBuffer", at, &e.HostObject, nil, bytes)
	defer d.record.mu.Unlock()
	m := e.takes(at, "clearBuffer")
	if m == nil {
		m = d.checkClear(at, b, offset, bytes)
	}
	if m != nil {
		return e.reject(call, m)
	}
	e.add(gpu.BufferClear{Buffer: b.memory, Offset: offset, Bytes: bytes}, Step{At: at, Clear: &CopyRun{To: b, ToOffset: offset, Bytes: bytes}}, b)
	return nil
}

func (d *Device) checkClear(at HostSite, b *Buffer, offset, bytes uint64) *Mistake {
	if b == nil {
		return d.missing(at, "clearBuffer", "buffer")
	}
	if m := d.usable(at, &b.HostObject); m != nil {
		return m
	}
	switch {
	case b.Usage&gpu.UsageCopyDst == 0:
		return d.mistake("clear-usage", at, &b.HostObject, facts{"buffer": b, "usage": b.Usage})
	case bytes%wordBytes != 0:
		return d.mistake("clear-multiple", at, nil, facts{"what": "size", "given": bytes})
	case offset%wordBytes != 0:
		return d.mistake("clear-multiple", at, nil, facts{"what": "offset", "given": offset})
	case !within(offset, bytes, b.Size):
		return d.mistake("clear-range", at, &b.HostObject, facts{"buffer": b, "given": offset + bytes, "needed": b.Size})
	}
	return nil
}

// ResolveQuerySet copies the values of queries to a buffer, 8 bytes each (§ Queries).
func (e *CommandEncoder) ResolveQuerySet(at HostSite, q *QuerySet, first, count uint32, to *Buffer, offset uint64) error {
	d := e.device
	call := d.begin("resolveQuerySet", at, &e.HostObject, nil, 8*uint64(count))
	defer d.record.mu.Unlock()
	f := d.repairs("resolveQuerySet")
	number(f, "firstQuery", &first)
	number(f, "queryCount", &count)
	m := e.takes(at, "resolveQuerySet")
	if m == nil {
		m = d.checkResolve(at, q, first, count, to, offset)
	}
	if m != nil {
		return e.reject(call, m)
	}
	if q.made == nil {
		e.add(gpu.BufferClear{Buffer: to.memory, Offset: offset, Bytes: 8 * uint64(count)}, Step{At: at}, to)
		return nil
	}
	q.users++
	e.held = append(e.held, q)
	e.add(gpu.QueryResolve{From: q.made, First: first, Count: count, To: to.memory, Offset: offset}, Step{At: at, Resolve: &ResolveRun{first, count, to, offset}}, to)
	return nil
}

func (d *Device) checkResolve(at HostSite, q *QuerySet, first, count uint32, to *Buffer, offset uint64) *Mistake {
	switch {
	case q == nil:
		return d.missing(at, "resolveQuerySet", "query set")
	case to == nil:
		return d.missing(at, "resolveQuerySet", "buffer")
	}
	for _, o := range []*HostObject{&q.HostObject, &to.HostObject} {
		if m := d.usable(at, o); m != nil {
			return m
		}
	}
	last := uint64(first) + uint64(count)
	switch {
	case to.Usage&gpu.UsageQueryResolve == 0:
		return d.mistake("resolve-usage", at, &to.HostObject, facts{"buffer": to, "usage": to.Usage})
	case first >= q.Count || last > uint64(q.Count):
		return d.mistake("resolve-queries", at, &q.HostObject, facts{"object": &q.HostObject, "given": last, "needed": uint64(q.Count)})
	case offset%256 != 0:
		return d.mistake("resolve-offset", at, nil, facts{"given": offset})
	case !within(offset, 8*uint64(count), to.Size):
		return d.mistake("resolve-range", at, &to.HostObject, facts{"buffer": to, "given": offset + 8*uint64(count), "needed": to.Size})
	}
	return nil
}

// WriteTimestamp writes the time to a query between passes. WebGPU has dropped the call; Go's
// binding still has it.
func (e *CommandEncoder) WriteTimestamp(at HostSite, q *QuerySet, query uint32) error {
	d := e.device
	call := d.begin("writeTimestamp", at, &e.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	m := e.takes(at, "writeTimestamp")
	if m == nil {
		m = d.checkTimes(at, q, query)
	}
	if m != nil {
		return e.reject(call, m)
	}
	q.users++
	e.held = append(e.held, q)
	e.add(gpu.Timestamp{To: q.made, Query: query}, Step{At: at})
	return nil
}

// checkTimes checks a query set and the queries to write in it (§ Timestamp Query).
func (d *Device) checkTimes(at HostSite, q *QuerySet, queries ...uint32) *Mistake {
	if q == nil {
		return d.missing(at, "timestampWrites", "query set")
	}
	if m := d.usable(at, &q.HostObject); m != nil {
		return m
	}
	switch {
	case !d.has(FeatureTimestampQuery):
		return d.mistake("times-feature", at, nil, nil)
	case q.Type != QueryTypeTimestamp:
		return d.mistake("times-type", at, &q.HostObject, facts{"object": &q.HostObject})
	case len(queries) == 0:
		return d.mistake("times-none", at, nil, nil)
	case len(queries) == 2 && queries[0] == queries[1]:
		return d.mistake("times-same", at, nil, facts{"given": uint64(queries[0])})
	}
	for _, n := range queries {
		if n >= q.Count {
			return d.mistake("times-index", at, &q.HostObject, facts{"object": &q.HostObject, "given": uint64(n), "needed": uint64(q.Count)})
		}
	}
	return nil
}

// debug handles the three calls for debug groups (§ Debug Markers).
func (e *encoding) debug(at HostSite, name string, change int) error {
	call := e.device.begin(name, at, &e.HostObject, nil, 0)
	defer e.device.record.mu.Unlock()
	m := e.takes(at, name)
	if m == nil && e.debugGroups+change < 0 {
		m = e.device.mistake("debug-none", at, nil, facts{"object": &e.HostObject})
	}
	if m != nil {
		return e.reject(call, m)
	}
	e.debugGroups += change
	return nil
}

// PushDebugGroup opens a debug group.
func (e *encoding) PushDebugGroup(at HostSite) error { return e.debug(at, "pushDebugGroup", 1) }

// PopDebugGroup closes a debug group.
func (e *encoding) PopDebugGroup(at HostSite) error { return e.debug(at, "popDebugGroup", -1) }

// InsertDebugMarker marks a place among the commands.
func (e *encoding) InsertDebugMarker(at HostSite) error { return e.debug(at, "insertDebugMarker", 0) }

// A CommandBuffer holds recorded commands, for one submission.
type CommandBuffer struct {
	HostObject
	recorded
	submitted HostSite // where it was submitted
	used      bool
}

// Finish ends the recording (§ Finalization). If a command broke a rule, its mistake comes back
// here as well.
func (e *CommandEncoder) Finish(at HostSite, label string) (*CommandBuffer, error) {
	d := e.device
	b := &CommandBuffer{}
	call := d.begin("finish", at, &e.HostObject, &b.HostObject, 0)
	defer d.record.mu.Unlock()
	d.object(&b.HostObject, "command buffer", label, at)
	e.repairedFinish(at)
	if e.state == encoderLocked {
		e.state = encoderEnded
		return b, d.fail(call, &b.HostObject, d.mistake("finish-pass-open", at, nil, facts{"object": &e.HostObject}))
	}
	m := e.takes(at, "finish")
	if m == nil && e.broken == nil && e.debugGroups > 0 {
		m = d.mistake("debug-open", at, nil, facts{"object": &e.HostObject, "given": uint64(e.debugGroups)})
	}
	e.state = encoderEnded
	if m != nil {
		return b, d.fail(call, &b.HostObject, m)
	}
	if e.broken != nil {
		b.Wrong, _ = e.broken.(*Mistake)
		d.report(ErrorFilterValidation, e.broken)
		return b, e.broken
	}
	b.recorded, e.recorded = e.recorded, recorded{}
	keep(d.record, &d.record.Commands, b)
	return b, d.alive(at)
}

// Release releases the encoder, and what its commands hold.
func (e *CommandEncoder) Release(at HostSite) {
	if e.device.release(at, &e.HostObject) {
		e.device.record.mu.Lock()
		defer e.device.record.mu.Unlock()
		e.dropAll()
	}
}

// Release releases the command buffer, and what its commands hold.
func (b *CommandBuffer) Release(at HostSite) {
	if b.device.release(at, &b.HostObject) {
		b.device.record.mu.Lock()
		defer b.device.record.mu.Unlock()
		b.dropAll()
	}
}
