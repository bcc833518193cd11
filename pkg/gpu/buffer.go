package gpu

import (
	"fmt"
	"unsafe"

	"github.com/cogentcore/webgpu/wgpu"
	"github.com/wgslab/wgslab/internal/shader"
)

// Element is what a buffer can hold: WGSL's f32, u32 and i32, 4 bytes each.
type Element interface{ float32 | uint32 | int32 }

// A Buffer is memory of the device. It is made by Upload or Alloc, for storage
// bindings, or by Uniform, for uniform bindings.
type Buffer struct {
	device  *Device
	handle  *wgpu.Buffer
	bytes   uint64
	element shader.Element
}

// Len is the number of 4-byte elements.
func (b *Buffer) Len() int { return int(b.bytes / shader.ElementBytes) }

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
	b := &Buffer{device: d, bytes: uint64(n) * shader.ElementBytes, element: elementName(zero)}
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
	return UploadContent(d, shader.UniformBuffer(words...))
}

// UploadContent makes a buffer of what an engine is given: a uniform one for the
// members of a struct, a storage one for anything else.
func UploadContent(d *Device, content shader.Buffer) (*Buffer, error) {
	b := &Buffer{device: d, bytes: uint64(len(content.Bytes)), element: content.Element}
	usage := wgpu.BufferUsageStorage
	if content.IsUniform() {
		usage = wgpu.BufferUsageUniform
	}
	if err := d.create(b, usage); err != nil {
		return nil, err
	}
	return b.filled(b.write(content.Bytes))
}

func uniformWords(members []any) ([]shader.Word, error) {
	if len(members) == 0 {
		return nil, fmt.Errorf("a uniform needs at least one member")
	}
	words := make([]shader.Word, len(members))
	for i, member := range members {
		switch value := member.(type) {
		case float32:
			words[i] = shader.Float(value)
		case uint32:
			words[i] = shader.Uint(value)
		case int32:
			words[i] = shader.Uint(uint32(value))
		default:
			return nil, fmt.Errorf("uniform member %d is a %T; it must be a float32, uint32 or int32", i, member)
		}
	}
	return words, nil
}

func elementName(zero any) shader.Element {
	switch zero.(type) {
	case float32:
		return shader.F32
	case uint32:
		return shader.U32
	default:
		return shader.I32
	}
}

// create makes b's memory on the device.
func (d *Device) create(b *Buffer, usage wgpu.BufferUsage) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return err
	}
	limit := d.adapter.Limits.StorageBindingBytes
	if b.element == shader.Words {
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
func Write[T Element](b *Buffer, data []T) error { return b.write(bytesOf(data)) }

func (b *Buffer) write(raw []byte) error {
	d := b.device
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable("the buffer", b); err != nil {
		return err
	}
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
	return unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(data)*shader.ElementBytes)
}

// Read waits until the device is done with all that was submitted and copies
// the buffer back. T must be the element type that the buffer was made with.
func Read[T Element](b *Buffer) ([]T, error) {
	var zero T
	if name := elementName(zero); b.element != shader.Words && b.element != name {
		return nil, fmt.Errorf("reading a buffer of %s as %s", b.element, name)
	}
	values := make([]T, b.Len())
	if err := b.device.readback(b, bytesOf(values)); err != nil {
		return nil, fmt.Errorf("reading %d values back: %w", len(values), err)
	}
	return values, nil
}

// Content is Read for whatever the buffer holds.
func (b *Buffer) Content() (shader.Buffer, error) {
	raw := make([]byte, b.bytes)
	if err := b.device.readback(b, raw); err != nil {
		return shader.Buffer{}, fmt.Errorf("reading %d values back: %w", b.Len(), err)
	}
	return shader.Buffer{Element: b.element, Bytes: raw}, nil
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
		// The mapping's state stays, for its callback may still come; the next read
		// takes a buffer of its own.
		d.staging, d.stagingSz = nil, 0
		return err
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
