package wgpu

import "github.com/wgslab/wgslab/internal/machine/webgpu"

// A Buffer is memory of a device.
type Buffer struct{ made *webgpu.Buffer }

// object returns the watched buffer, or nil.
func (p *Buffer) object() *webgpu.Buffer {
	if p == nil {
		return nil
	}
	return p.made
}

// GetSize returns the size in bytes.
func (p *Buffer) GetSize() uint64 { return p.made.Size }

// GetUsage returns the ways in which the buffer may be used.
func (p *Buffer) GetUsage() BufferUsage { return p.made.Usage }

// BufferMapCallback hears how a mapping ended.
type BufferMapCallback func(BufferMapAsyncStatus)

// MapAsync maps bytes for the host once all submitted work has ended. The callback then runs in
// Device.Poll. To read, the buffer needs BufferUsageMapRead. The offset is a multiple of 8, the
// size a multiple of 4.
func (p *Buffer) MapAsync(mode MapMode, offset uint64, size uint64, callback BufferMapCallback) (err error) {
	return p.made.MapAsync(here(), mode, offset, size, callback)
}

// GetMappedRange returns bytes of a mapped buffer, until Unmap or Release: copy them before. It
// panics if the bytes aren't mapped, or if a range that you got before has some of them.
func (p *Buffer) GetMappedRange(offset, size uint) []byte {
	view, err := p.made.MappedRange(here(), uint64(offset), uint64(size))
	must(err)
	return view
}

// Unmap ends the mapping. What GetMappedRange returned must not be used any more.
func (p *Buffer) Unmap() (err error) { return p.made.Unmap(here()) }

// Destroy frees the buffer's memory.
func (p *Buffer) Destroy() { p.made.Destroy(here()) }

// Release releases the buffer. Bind groups and commands that use it keep it.
func (p *Buffer) Release() { p.made.Release(here()) }
