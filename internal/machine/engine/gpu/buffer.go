package gpu

import (
	"fmt"
	"unsafe"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Element is the set of types that a buffer can hold: WGSL's f32, u32 and i32, 4 bytes each.
type Element interface{ float32 | uint32 | int32 }

// A Buffer is a block of the device's memory. Upload and Alloc make buffers for storage bindings,
// Uniform makes them for uniform bindings.
type Buffer struct {
	device  *Device
	memory  memory
	bytes   uint64
	element shader.Element
	usage   BufferUsage
}

// Len returns the number of 4-byte elements.
func (b *Buffer) Len() int { return int(b.bytes / shader.ElementBytes) }

// Bytes returns the size in bytes.
func (b *Buffer) Bytes() uint64 { return b.bytes }

// Free gives the memory back before the device's Close. A pass that binds the buffer must have
// finished, and you must not submit it again.
func (b *Buffer) Free() { b.device.free(b) }

func (b *Buffer) release() {
	b.device.memory += b.bytes
	b.memory.release()
}

// Upload makes a storage buffer that holds a copy of data.
func Upload[T Element](d *Device, data []T) (*Buffer, error) {
	b, err := Alloc[T](d, len(data))
	if err != nil {
		return nil, err
	}
	return b.filled(Write(b, data))
}

// filled returns b, or frees it and returns nil if writing to it failed.
func (b *Buffer) filled(err error) (*Buffer, error) {
	if err != nil {
		b.Free()
		return nil, err
	}
	return b, nil
}

// Alloc makes a storage buffer of n elements, all zero.
func Alloc[T Element](d *Device, n int) (*Buffer, error) { return alloc[T](d, n, storage) }

// AllocShared is Alloc for data that the host writes and the device reads once, such as the input
// of a RoundTrip. If the adapter can, it puts the buffer in the host's memory; the device then
// reads it over the bus instead of copying it first. While a RoundTrip holds the buffer, only the
// RoundTrip writes to it.
func AllocShared[T Element](d *Device, n int) (*Buffer, error) { return alloc[T](d, n, shared) }

// AllocAnswer makes a storage buffer of n zeros that the device fills and the host reads: the last
// buffer of a RoundTrip. If the adapter can, it puts the buffer in the host's memory; the device
// then writes it over the bus instead of copying it afterwards. Shaders should not read it.
func AllocAnswer[T Element](d *Device, n int) (*Buffer, error) { return alloc[T](d, n, answer) }

func alloc[T Element](d *Device, n int, usage BufferUsage) (*Buffer, error) {
	if n < 1 {
		return nil, fmt.Errorf("a buffer needs at least one element, but %d were asked for", n)
	}
	var zero T
	b := &Buffer{device: d, bytes: uint64(n) * shader.ElementBytes, element: elementName(zero), usage: usage}
	if err := d.create(b); err != nil {
		return nil, err
	}
	return b, nil
}

// Uniform makes a uniform buffer from the members of a uniform struct, in order. Each member is a
// float32, uint32 or int32. Uniform pads the buffer to a multiple of 16 bytes, as WGSL requires.
func Uniform(d *Device, members ...any) (*Buffer, error) {
	words, err := uniformWords(members)
	if err != nil {
		return nil, err
	}
	return UploadContent(d, shader.UniformBuffer(words...))
}

// UploadContent makes a buffer of a dispatch's content: a uniform buffer for the members of a
// struct, a storage buffer for anything else.
func UploadContent(d *Device, content shader.Buffer) (*Buffer, error) {
	b := &Buffer{device: d, bytes: uint64(len(content.Bytes)), element: content.Element, usage: storage}
	if content.IsUniform() {
		b.usage = uniform
	}
	if err := d.create(b); err != nil {
		return nil, err
	}
	return b.filled(b.WriteAt(content.Bytes, 0))
}

// UploadAll makes a buffer of each content, in order. free frees the buffers that were made, even
// after an error.
func UploadAll(d *Device, contents []shader.Buffer) (buffers []*Buffer, free func(), err error) {
	free = func() {
		for _, b := range buffers {
			b.Free()
		}
	}
	for i, content := range contents {
		b, err := UploadContent(d, content)
		if err != nil {
			return buffers, free, fmt.Errorf("binding %d: %w", i, err)
		}
		buffers = append(buffers, b)
	}
	return buffers, free, nil
}

func uniformWords(members []any) ([]shader.UniformWord, error) {
	if len(members) == 0 {
		return nil, fmt.Errorf("a uniform needs at least one member")
	}
	words := make([]shader.UniformWord, len(members))
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
func (d *Device) create(b *Buffer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ready(); err != nil {
		return err
	}
	if limit := d.mostBytes(b.usage); b.bytes > limit {
		return fmt.Errorf("a buffer of %d bytes is more than %s can bind (%d bytes)", b.bytes, d.adapter.Name, limit)
	}
	if b.bytes > d.memory {
		return fmt.Errorf("a buffer of %d bytes does not fit: %s has memory for %d more", b.bytes, d.adapter.Name, d.memory)
	}
	var err error
	if b.memory, err = d.platform.newBuffer(b.bytes, b.usage); err != nil {
		return err
	}
	d.memory -= b.bytes
	d.live[b] = struct{}{}
	return nil
}

// mostBytes returns the size of the largest buffer of some usage. A buffer that NewBuffer makes may
// be larger than any binding of it.
func (d *Device) mostBytes(usage BufferUsage) uint64 {
	limits := d.adapter.Limits
	switch usage {
	case uniform:
		return min(limits.UniformBindingBytes, limits.BufferBytes)
	case storage, shared, answer:
		return min(limits.StorageBindingBytes, limits.BufferBytes)
	}
	return limits.BufferBytes
}

// Write copies data into the buffer, from its start.
func Write[T Element](b *Buffer, data []T) error { return b.WriteAt(bytesOf(data), 0) }

// WriteAt copies bytes into the buffer, from an offset in bytes. Both are multiples of 4.
func (b *Buffer) WriteAt(raw []byte, offset uint64) error {
	d := b.device
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable("the buffer", b); err != nil {
		return err
	}
	if offset > b.bytes || uint64(len(raw)) > b.bytes-offset {
		return fmt.Errorf("writing %d bytes to a buffer of %d", len(raw), b.bytes)
	}
	if err := d.platform.write(b.memory, offset, raw); err != nil {
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

// Read waits until the device has finished all submitted work, and copies the buffer back. T must
// be the element type that the buffer was made with.
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

// Content is Read for a buffer of any element type.
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
	return d.platform.read(d, b.memory, into)
}
