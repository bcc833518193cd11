package webgpu

import (
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// A BufferDescriptor describes a buffer.
type BufferDescriptor struct {
	Label            string
	Usage            gpu.BufferUsage
	Size             uint64 // in bytes
	MappedAtCreation bool
}

// A Buffer is memory of a device.
type Buffer struct {
	HostObject
	Size  uint64 // in bytes
	Usage gpu.BufferUsage

	memory      *gpu.Buffer
	destroyedAt HostSite // where the program destroyed it

	users   int // bind groups and unsubmitted commands that hold the buffer, and the program
	mapping *mapping
	shadow  []byte // what mappings for writing have left; nil for other buffers
}

// A mapping is a mapped or pending part of a buffer.
type mapping struct {
	buffer        *Buffer
	mode          MapMode
	offset, bytes uint64
	data          []byte        // of the part, once mapped
	reading       *gpu.Readback // of a mapping for reading
	views         [][2]uint64   // the ranges that the program got: begin and end
	given         [][]byte
	mapped        bool
	callback      func(MapStatus)
	recorded      *Mapping // nil at creation
	status        MapStatus
}

const wordBytes = 4

// up rounds up to whole words.
func up(bytes uint64) uint64 { return (bytes + wordBytes - 1) / wordBytes * wordBytes }

// CreateBuffer makes a buffer, all zero (§ Buffer Creation).
func (d *Device) CreateBuffer(at HostSite, desc BufferDescriptor) (*Buffer, error) {
	b := &Buffer{Size: desc.Size, Usage: desc.Usage, users: 1}
	call := d.begin("createBuffer", at, &d.HostObject, &b.HostObject, desc.Size)
	defer d.record.mu.Unlock()
	repair := d.repairs("createBuffer")
	number(repair, "size", &b.Size)
	number(repair, "usage", &b.Usage)
	d.object(&b.HostObject, "buffer", desc.Label, at)
	keep(d.record, &d.record.Buffers, b)
	m := d.checkBuffer(at, b, desc.MappedAtCreation)
	if m == nil {
		m = d.checkAlive(at, b)
	}
	if m != nil {
		return b, d.fail(call, &b.HostObject, m)
	}
	if err := d.alive(at); err != nil {
		return b, err
	}
	var err error
	if b.memory, err = gpu.NewBuffer(d.engine, max(up(b.Size), wordBytes), engineUsage(b.Usage)); err != nil {
		b.Wrong = &Mistake{Rule: ruleByID["invalid-object"], Wrong: "The engine has no memory for it.", At: at}
		return b, d.fault(at, ErrorFilterOutOfMemory, err)
	}
	d.record.alive++
	d.record.made++
	d.record.bytes += b.Size
	d.releases = append(d.releases, b.free)
	d.filled(repair, call, b)
	if desc.MappedAtCreation {
		b.mapping = &mapping{buffer: b, mode: MapModeWrite, bytes: b.Size, mapped: true, data: make([]byte, b.Size)}
	}
	return b, nil
}

// allBufferUsages are the flags that WebGPU has.
const allBufferUsages = 2*gpu.UsageQueryResolve - 1

// engineUsage returns the usage of the engine's buffer. The host's writes are copies; a buffer that
// is mapped for writing stays in Go's memory until then.
func engineUsage(u gpu.BufferUsage) gpu.BufferUsage {
	return u&^gpu.UsageMapWrite&allBufferUsages | gpu.UsageCopyDst
}

func (d *Device) checkBuffer(at HostSite, b *Buffer, mapped bool) *Mistake {
	others := func(flag, may gpu.BufferUsage) gpu.BufferUsage { return b.Usage &^ (flag | may) }
	switch {
	case mapped && b.Size%wordBytes != 0:
		return d.mistake("buffer-mapped-size", at, nil, facts{"buffer": b, "given": b.Size})
	case b.Usage == 0:
		return d.mistake("buffer-usage-none", at, nil, facts{"buffer": b})
	case b.Usage&^allBufferUsages != 0:
		return d.mistake("buffer-usage-unknown", at, nil, facts{"buffer": b})
	case b.Usage&gpu.UsageMapRead != 0 && others(gpu.UsageMapRead, gpu.UsageCopyDst) != 0:
		return d.mistake("buffer-usage-map-read", at, nil, facts{"buffer": b, "others": others(gpu.UsageMapRead, gpu.UsageCopyDst)})
	case b.Usage&gpu.UsageMapWrite != 0 && others(gpu.UsageMapWrite, gpu.UsageCopySrc) != 0:
		return d.mistake("buffer-usage-map-write", at, nil, facts{"buffer": b, "others": others(gpu.UsageMapWrite, gpu.UsageCopySrc)})
	case b.Size > d.limits.MaxBufferSize:
		return d.mistake("buffer-size", at, nil, facts{"buffer": b, "given": b.Size, "needed": d.limits.MaxBufferSize})
	}
	return nil
}

// String returns the buffer's name in a sentence.
func (b *Buffer) String() string { return b.Name() }

// State returns whether the buffer is mapped.
func (b *Buffer) State() MapState {
	switch {
	case b.mapping == nil:
		return MapStateUnmapped
	case b.mapping.mapped:
		return MapStateMapped
	}
	return MapStatePending
}

func (b *Buffer) stateName() string {
	switch {
	case b.destroyed:
		return "destroyed"
	case b.State() == MapStatePending:
		return "about to be mapped"
	}
	return "mapped"
}

// within reports whether a part ends within a size, without overflow.
func within(offset, bytes, size uint64) bool { return offset <= size && bytes <= size-offset }

// MapAsync begins to map a part of the buffer. The callback comes in Poll, or at once with an error
// (§ Buffer Mapping).
func (b *Buffer) MapAsync(at HostSite, mode MapMode, offset, bytes uint64, callback func(MapStatus)) error {
	d := b.device
	call := d.begin("mapAsync", at, &b.HostObject, nil, bytes)
	err := b.startMapping(call, at, mode, offset, bytes, callback)
	d.record.mu.Unlock()
	if err != nil && callback != nil {
		callback(mapStatusOf(err))
	}
	return err
}

func mapStatusOf(err error) MapStatus {
	if m, ok := err.(*Mistake); ok {
		if m.Rule.ID == "map-busy" {
			return MapAlreadyPending
		}
		return MapInvalid
	}
	return MapDeviceLost
}

func (b *Buffer) startMapping(call int, at HostSite, mode MapMode, offset, bytes uint64, callback func(MapStatus)) error {
	d := b.device
	repair := d.repairs("mapAsync")
	number(repair, "mode", &mode)
	number(repair, "offset", &offset)
	number(repair, "size", &bytes)
	if m := b.checkMapping(at, mode, offset, bytes, callback); m != nil {
		return d.fail(call, nil, m)
	}
	if err := d.alive(at); err != nil {
		return err
	}
	m := &mapping{buffer: b, mode: mode, offset: offset, bytes: bytes, callback: callback}
	m.recorded = &Mapping{Call: call, At: at, Buffer: b, Mode: mode, Offset: offset, Bytes: bytes, Submitted: d.record.submitted}
	if mode == MapModeRead && bytes > 0 {
		var err error
		if m.reading, err = gpu.StartRead(b.memory, offset, bytes); err != nil {
			return d.fault(at, ErrorFilterInternal, err)
		}
	}
	keep(d.record, &d.record.Mappings, m.recorded)
	b.mapping = m
	d.pending = append(d.pending, m)
	return nil
}

func (b *Buffer) checkMapping(at HostSite, mode MapMode, offset, bytes uint64, heard func(MapStatus)) *Mistake {
	d := b.device
	if m := d.usable(at, &b.HostObject); m != nil {
		return m
	}
	switch {
	case b.mapping != nil:
		return d.mistake("map-busy", at, nil, facts{"buffer": b, "state": b.stateName()})
	case b.destroyed:
		return d.mistake("map-destroyed", at, nil, facts{"buffer": b})
	case mode != MapModeRead && mode != MapModeWrite:
		return d.mistake("map-mode", at, nil, facts{"mode": "the number " + english.Thousands(int(mode))})
	case mode == MapModeRead && b.Usage&gpu.UsageMapRead == 0:
		return d.mistake("map-usage-read", at, &b.HostObject, facts{"buffer": b, "usage": b.Usage})
	case mode == MapModeWrite && b.Usage&gpu.UsageMapWrite == 0:
		return d.mistake("map-usage-write", at, &b.HostObject, facts{"buffer": b, "usage": b.Usage})
	case offset%8 != 0:
		return d.mistake("map-offset", at, nil, facts{"given": offset})
	case bytes == WholeSize:
		m := d.mistake("map-range", at, nil, facts{"buffer": b, "given": bytes, "needed": b.Size})
		m.Do = "Pass the number of bytes that you read. A whole size works only in bind groups."
		return m
	case bytes%wordBytes != 0:
		return d.mistake("map-size", at, nil, facts{"given": bytes})
	case !within(offset, bytes, b.Size):
		return d.mistake("map-range", at, nil, facts{"buffer": b, "given": offset + bytes, "needed": b.Size})
	case heard == nil && d.dialect.Native:
		return d.mistake("callback-missing", at, nil, facts{"call": spelled("mapAsync")}) // the binding's Poll panics
	}
	return nil
}

// ended reports whether a pending mapping has ended, and how.
func (m *mapping) ended(idle bool) (bool, MapStatus) {
	d := m.buffer.device
	switch {
	case m.status != MapSucceeded:
		return true, m.status
	case d.lost != nil:
		return true, MapDeviceLost
	case m.reading == nil:
		return idle, MapSucceeded
	}
	done, err := m.reading.Done()
	switch {
	case err == nil:
		return done, MapSucceeded
	case IsLost(err):
		_ = d.fault(m.recorded.At, ErrorFilterInternal, err)
		return true, MapDeviceLost
	}
	return true, MapInvalid
}

// end ends a pending mapping and returns the call of its callback.
func (m *mapping) end(status MapStatus) func() {
	b := m.buffer
	m.recorded.Ended, m.recorded.Status = true, status
	if status == MapSucceeded {
		m.mapped = true
		m.data = make([]byte, m.bytes)
		if m.mode == MapModeWrite && b.shadow != nil {
			copy(m.data, b.shadow[m.offset:])
		}
	} else if b.mapping == m {
		b.mapping = nil
	}
	return func() {
		if m.callback != nil {
			m.callback(status)
		}
	}
}

// MappedRange returns bytes of a mapped buffer. Until Unmap, a program may read them, and write
// them if the buffer is mapped for writing (§ Buffer Mapping).
func (b *Buffer) MappedRange(at HostSite, offset, bytes uint64) ([]byte, error) {
	d := b.device
	call := d.begin("getMappedRange", at, &b.HostObject, nil, bytes)
	defer d.record.mu.Unlock()
	if err := d.alive(at); err != nil && b.mapping == nil {
		return nil, err
	}
	repair := d.repairs("getMappedRange")
	number(repair, "offset", &offset)
	number(repair, "size", &bytes)
	if m := b.checkRange(at, offset, bytes); m != nil {
		d.record.wrong(call, m)
		return nil, m
	}
	m := b.mapping
	begin := offset - m.offset
	view := m.data[begin : begin+bytes : begin+bytes]
	if m.reading != nil {
		m.reading.Copy(view, begin)
		if d.record.marked {
			mark(view)
		}
	}
	m.views = append(m.views, [2]uint64{offset, offset + bytes})
	m.given = append(m.given, view)
	if m.recorded != nil {
		m.recorded.Read = true
		if m.mode == MapModeRead && d.record.judged {
			m.recorded.Ranges = append(m.recorded.Ranges, MappedBytes{at, offset, d.record.kept(view)})
		}
	}
	return view, nil
}

func overlaps(views [][2]uint64, begin, end uint64) bool {
	for _, v := range views {
		if begin < v[1] && v[0] < end {
			return true
		}
	}
	return false
}

func (b *Buffer) checkRange(at HostSite, offset, bytes uint64) *Mistake {
	d, m := b.device, b.mapping
	switch {
	case m == nil || !m.mapped:
		pending := ""
		if m != nil {
			at, pending = m.recorded.At, " yet" // the program doesn't wait after this call
		}
		return d.mistake("range-unmapped", at, nil, facts{"buffer": b, "pending": pending})
	case offset%8 != 0:
		return d.mistake("range-offset", at, nil, facts{"given": offset})
	case bytes%wordBytes != 0:
		return d.mistake("range-size", at, nil, facts{"given": bytes})
	case offset < m.offset:
		return d.mistake("range-before", at, nil, facts{"buffer": b, "given": offset, "needed": m.offset})
	case !within(offset-m.offset, bytes, m.bytes):
		return d.mistake("range-outside", at, nil, facts{"buffer": b, "given": offset + bytes, "needed": m.offset + m.bytes})
	case overlaps(m.views, offset, offset+bytes):
		return d.mistake("range-overlap", at, nil, facts{"buffer": b})
	}
	return nil
}

// Unmap ends a mapping. The ranges that the program got must not be used any more: they are filled
// with the byte 255, so that a later read is seen (§ Buffer Mapping).
func (b *Buffer) Unmap(at HostSite) error {
	d := b.device
	d.begin("unmap", at, &b.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	return b.unmap(at, MapUnmapped)
}

func (b *Buffer) unmap(at HostSite, status MapStatus) error {
	d, m := b.device, b.mapping
	if m == nil {
		return nil
	}
	b.mapping = nil
	if !m.mapped {
		m.status = status
	}
	if m.reading != nil && d.lost == nil {
		if err := m.reading.End(); err != nil {
			return d.fault(at, ErrorFilterInternal, err)
		}
	}
	if m.mapped && m.mode == MapModeWrite {
		if err := b.flush(at, m); err != nil {
			return err
		}
	}
	for _, view := range m.given {
		blank(view)
	}
	return nil
}

// blank sets all bytes to 255. Copying what is set already is ten times faster than a loop.
func blank(view []byte) {
	if len(view) == 0 {
		return
	}
	view[0] = 0xFF
	for n := 1; n < len(view); n *= 2 {
		copy(view[n:], view[:n])
	}
}

// flush writes what the program left in a mapping to the engine's buffer.
func (b *Buffer) flush(at HostSite, m *mapping) error {
	d := b.device
	if b.Usage&gpu.UsageMapWrite != 0 {
		if b.shadow == nil {
			b.shadow = make([]byte, b.Size)
		}
		copy(b.shadow[m.offset:], m.data)
	}
	if len(m.given) == 0 || b.destroyed {
		return nil
	}
	if data := m.data; d.repairedWrite(&b, &m.offset, &data) {
		return nil
	} else if copy(m.data, data) < len(data) {
		return nil
	}
	d.record.wrote(len(d.record.Calls)-1, b, m.offset, m.data)
	if d.lost != nil {
		return nil
	}
	if err := b.memory.WriteAt(m.data, m.offset); err != nil {
		return d.fault(at, ErrorFilterInternal, err)
	}
	return nil
}

// Destroy frees the buffer's memory (§ Buffer Destruction).
func (b *Buffer) Destroy(at HostSite) {
	d := b.device
	d.begin("destroy", at, &b.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	if b.memory != nil && !b.destroyed {
		b.ends()
	}
	b.destroyed, b.destroyedAt = true, at
	_ = b.unmap(at, MapBufferDestroyed)
}

// ends takes a buffer from those that are alive.
func (b *Buffer) ends() {
	b.device.record.alive--
	b.device.record.bytes -= b.Size
}

// Release tells that the program needs the buffer no more. Bind groups and commands may still use
// it, but its mapped memory isn't the program's any more.
func (b *Buffer) Release(at HostSite) {
	if b.device.release(at, &b.HostObject) {
		b.device.record.mu.Lock()
		defer b.device.record.mu.Unlock()
		_ = b.unmap(at, MapBufferDestroyed)
		b.drop()
	}
}

// drop ends one use. The last one frees the engine's memory.
func (b *Buffer) drop() {
	if b.users--; b.users == 0 {
		b.free()
	}
}

func (b *Buffer) free() {
	if b.memory != nil {
		_ = b.unmap(b.Released, MapBufferDestroyed)
		b.memory.Free()
		b.memory = nil
		if !b.destroyed {
			b.ends()
		}
	}
}
