package gpu

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/cogentcore/webgpu/wgpu"
)

// Element is what a buffer can hold: WGSL's f32, u32 and i32, 4 bytes each.
type Element interface{ float32 | uint32 | int32 }

const elementBytes = 4

// uniformMultiple is what the size of a uniform buffer must divide by: uniform
// structs are laid out in rows of 16 bytes.
const uniformMultiple = 16

// A Buffer is memory of the device. It is made by Upload or Alloc, for storage
// bindings, or by Uniform, for uniform bindings.
type Buffer struct {
	device  *Device
	handle  *wgpu.Buffer
	bytes   uint64
	element string // f32, u32 or i32; "" for uniforms, whose members differ
	uniform bool
}

// Len is the number of 4-byte elements.
func (b *Buffer) Len() int { return int(b.bytes / elementBytes) }

// Bytes is the size in bytes.
func (b *Buffer) Bytes() uint64 { return b.bytes }

// Free gives the memory back ahead of the device's Close. A pass that binds the
// buffer must have finished, and must not be submitted again.
func (b *Buffer) Free() { b.device.free(b) }

func (b *Buffer) release() {
	b.device.memory += b.bytes
	b.handle.Release()
}

// Upload makes a storage buffer that holds a copy of data.
func Upload[T Element](d *Device, data []T) (*Buffer, error) {
	b, err := Alloc[T](d, len(data))
	if err != nil {
		return nil, err
	}
	return b.filled(Write(b, data))
}

// filled is b, or nothing when writing to it failed.
func (b *Buffer) filled(err error) (*Buffer, error) {
	if err != nil {
		b.Free()
		return nil, err
	}
	return b, nil
}

// Alloc makes a storage buffer of n elements, all zero.
func Alloc[T Element](d *Device, n int) (*Buffer, error) {
	if n < 1 {
		return nil, fmt.Errorf("a buffer needs at least one element, but %d were asked for", n)
	}
	var zero T
	b := &Buffer{device: d, bytes: uint64(n) * elementBytes, element: elementName(zero)}
	if err := d.create(b, wgpu.BufferUsageStorage); err != nil {
		return nil, err
	}
	return b, nil
}

// Uniform makes a uniform buffer from the members of a uniform struct, in
// order; each is a float32, uint32 or int32. It is padded to a multiple of 16
// bytes, as uniform buffers must be.
func Uniform(d *Device, members ...any) (*Buffer, error) {
	words, err := uniformWords(members)
	if err != nil {
		return nil, err
	}
	b := &Buffer{device: d, bytes: uint64(len(words)) * elementBytes, uniform: true}
	if err := d.create(b, wgpu.BufferUsageUniform); err != nil {
		return nil, err
	}
	return b.filled(Write(b, words))
}

func uniformWords(members []any) ([]uint32, error) {
	if len(members) == 0 {
		return nil, fmt.Errorf("a uniform needs at least one member")
	}
	const perRow = uniformMultiple / elementBytes
	words := make([]uint32, (len(members)+perRow-1)/perRow*perRow)
	for i, member := range members {
		switch value := member.(type) {
		case float32:
			words[i] = math.Float32bits(value)
		case uint32:
			words[i] = value
		case int32:
			words[i] = uint32(value)
		default:
			return nil, fmt.Errorf("uniform member %d is a %T; it must be a float32, uint32 or int32", i, member)
		}
	}
	return words, nil
}

func elementName(zero any) string {
	switch zero.(type) {
	case float32:
		return "f32"
	case uint32:
		return "u32"
	default:
		return "i32"
	}
}

// create makes b's memory on the device.
func (d *Device) create(b *Buffer, usage wgpu.BufferUsage) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.failed != nil {
		return d.failed
	}
	limit := d.adapter.Limits.StorageBindingBytes
	if b.uniform {
		limit = d.adapter.Limits.UniformBindingBytes
	}
	if limit = min(limit, d.adapter.Limits.BufferBytes); b.bytes > limit {
		return fmt.Errorf("a buffer of %d bytes is more than %s can bind (%d bytes)", b.bytes, d.adapter.Name, limit)
	}
	if b.bytes > d.memory {
		return fmt.Errorf("a buffer of %d bytes does not fit: %s has memory for %d more", b.bytes, d.adapter.Name, d.memory)
	}
	handle, err := d.newBuffer(b.bytes, usage|wgpu.BufferUsageCopyDst|wgpu.BufferUsageCopySrc)
	if err != nil {
		return err
	}
	b.handle = handle
	d.memory -= b.bytes
	d.live[b] = struct{}{}
	return nil
}

func (d *Device) newBuffer(bytes uint64, usage wgpu.BufferUsage) (*wgpu.Buffer, error) {
	var buffer *wgpu.Buffer
	var err error
	if scoped := d.guarded(func() {
		buffer, err = d.device.CreateBuffer(&wgpu.BufferDescriptor{Size: bytes, Usage: usage})
	}); err == nil {
		err = scoped
	}
	if err != nil {
		if buffer != nil {
			buffer.Release()
		}
		return nil, fmt.Errorf("making a buffer of %d bytes on %s: %w", bytes, d.adapter.Name, err)
	}
	return buffer, nil
}

// Write copies data into the buffer, from its start.
func Write[T Element](b *Buffer, data []T) error {
	d := b.device
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable("the buffer", b); err != nil {
		return err
	}
	raw := bytesOf(data)
	if uint64(len(raw)) > b.bytes {
		return fmt.Errorf("writing %d bytes to a buffer of %d", len(raw), b.bytes)
	}
	var err error
	if scoped := d.guarded(func() { err = d.queue.WriteBuffer(b.handle, 0, raw) }); err == nil {
		err = scoped
	}
	if err != nil {
		return fmt.Errorf("writing %d bytes to a buffer: %w", len(raw), err)
	}
	return nil
}

func bytesOf[T Element](data []T) []byte {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(data)*elementBytes)
}

// Read waits until the device is done with all that was submitted and copies
// the buffer back. T must be the element type that the buffer was made with.
func Read[T Element](b *Buffer) ([]T, error) {
	var zero T
	if name := elementName(zero); b.element != "" && b.element != name {
		return nil, fmt.Errorf("reading a buffer of %s as %s", b.element, name)
	}
	values := make([]T, b.Len())
	if err := b.device.readback(b, bytesOf(values)); err != nil {
		return nil, fmt.Errorf("reading %d values back: %w", len(values), err)
	}
	return values, nil
}

func (d *Device) readback(b *Buffer, into []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable("the buffer", b); err != nil {
		return err
	}
	d.counts.Readbacks++
	staging, err := d.stagingFor(b.bytes)
	if err != nil {
		return err
	}
	if err := d.encode(func(encoder *wgpu.CommandEncoder) error {
		return encoder.CopyBufferToBuffer(b.handle, 0, staging, 0, b.bytes)
	}); err != nil {
		return err
	}
	return d.copyOut(staging, into)
}

// stagingFor keeps one mappable buffer, as large as the largest read so far.
func (d *Device) stagingFor(bytes uint64) (*wgpu.Buffer, error) {
	if d.stagingSz >= bytes {
		return d.staging, nil
	}
	larger, err := d.newBuffer(bytes, wgpu.BufferUsageMapRead|wgpu.BufferUsageCopyDst)
	if err != nil {
		return nil, err
	}
	if d.staging != nil {
		d.staging.Release()
	}
	d.staging, d.stagingSz = larger, bytes
	return larger, nil
}

// copyOut maps the first len(into) bytes of staging and copies them.
func (d *Device) copyOut(staging *wgpu.Buffer, into []byte) error {
	size := uint64(len(into))
	var m mapping
	if err := d.guarded(func() { m = startMapping(staging, mapRead, size) }); err != nil {
		return err
	}
	if err := d.await(running, m.done); err != nil {
		return err // the mapping's state stays: its callback may still come
	}
	if err := m.finish(); err != nil {
		return d.lose(err)
	}
	copy(into, staging.GetMappedRange(0, uint(size)))
	return staging.Unmap()
}

// lose marks the device as gone.
func (d *Device) lose(cause error) error {
	d.failed = fmt.Errorf("%w: %w", ErrLost, cause)
	return d.failed
}
