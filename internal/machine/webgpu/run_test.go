package webgpu_test

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

func (w *world) values(b *webgpu.Buffer) (values []uint32) {
	back := w.buffer(b.Size, readback)
	require.NoError(w.t, w.submit(w.copying(b, back, b.Size)))
	require.NoError(w.t, mapping(back, 0, b.Size))
	_, err := w.Poll(true)
	require.NoError(w.t, err)
	raw, err := back.MappedRange(here(), 0, b.Size)
	require.NoError(w.t, err)
	for i := range b.Size / 4 {
		values = append(values, binary.LittleEndian.Uint32(raw[4*i:]))
	}
	require.NoError(w.t, back.Unmap(here()))
	require.Equal(w.t, byte(0xFF), raw[0], "the range isn't the program's any more")
	return values
}

// A bind group keeps its buffers, and commands keep what they use, after the program has released
// them.
func TestReleasedObjectsAreKept(t *testing.T) {
	w := newWorld(t, webgpu.Go)
	k, x, y := w.pipeline(move), w.buffer(16, all), w.buffer(16, all)
	require.NoError(t, w.Queue().WriteBuffer(here(), x, 0, []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}))
	g := w.group(w.first(k), x, y)
	x.Release(here())
	e := w.encoder()
	p, err := e.BeginComputePass(here(), "", nil)
	require.NoError(t, err)
	require.NoError(t, p.SetPipeline(here(), k))
	require.NoError(t, p.SetBindGroup(here(), 0, g, nil))
	require.NoError(t, p.DispatchWorkgroups(here(), 1, 1, 1))
	require.NoError(t, p.End(here()))
	c := w.finish(e)
	k.Release(here())
	g.Release(here())
	require.NoError(t, w.submit(c))
	require.Equal(t, []uint32{1, 2, 3, 4}, w.values(y))
	w.Device.Release(here())
}

// Memory that is mapped for writing reaches the buffer at unmap, and the next mapping shows it.
func TestMappingForWriting(t *testing.T) {
	w := newWorld(t, webgpu.JavaScript)
	b, err := w.CreateBuffer(here(), webgpu.BufferDescriptor{Size: 16, Usage: mapWrite | copySrc, MappedAtCreation: true})
	require.NoError(t, err)
	write := func(offset uint64, value byte) []byte {
		raw, err := b.MappedRange(here(), offset, 8)
		require.NoError(t, err)
		before := raw[4]
		raw[0], raw[4] = value, value
		require.NoError(t, b.Unmap(here()))
		return []byte{before}
	}
	require.Equal(t, []byte{0}, write(0, 5))
	require.NoError(t, b.MapAsync(here(), webgpu.MapModeWrite, 0, 16, unheard))
	require.Equal(t, webgpu.MapStatePending, b.State())
	_, err = w.Poll(true)
	require.NoError(t, err)
	require.Equal(t, webgpu.MapStateMapped, b.State())
	raw, err := b.MappedRange(here(), 0, 8)
	require.NoError(t, err)
	require.Equal(t, byte(5), raw[4])
	write(8, 6)
	require.Equal(t, webgpu.MapStateUnmapped, b.State())
	require.Equal(t, []uint32{5, 5, 6, 6}, w.values(b))
	require.Equal(t, uint64(32), w.Record().BytesWritten())
}

// A mapping that is cancelled tells its callback how it ended.
func TestCancelledMappings(t *testing.T) {
	w := newWorld(t, webgpu.Go)
	for _, c := range []struct {
		end  func(*webgpu.Buffer)
		want webgpu.MapStatus
	}{
		{func(b *webgpu.Buffer) { require.NoError(t, b.Unmap(here())) }, webgpu.MapUnmapped},
		{func(b *webgpu.Buffer) { b.Destroy(here()) }, webgpu.MapBufferDestroyed},
		{func(b *webgpu.Buffer) { b.Release(here()) }, webgpu.MapBufferDestroyed},
		{func(b *webgpu.Buffer) {}, webgpu.MapSucceeded},
	} {
		var got []webgpu.MapStatus
		b := w.buffer(8, readback)
		require.NoError(t, b.MapAsync(here(), webgpu.MapModeRead, 0, 8, func(s webgpu.MapStatus) { got = append(got, s) }))
		c.end(b)
		require.Empty(t, got, "callbacks come in Poll")
		_, err := w.Poll(true)
		require.NoError(t, err)
		require.Equal(t, []webgpu.MapStatus{c.want}, got)
	}
}

// A shader that never ends loses the device. What waits for it hears so, and later calls say so.
func TestEndlessShader(t *testing.T) {
	engine, err := gpu.Open(gpu.Require(shader.Simulated), gpu.WithDeadline(100*time.Millisecond))
	require.NoError(t, err)
	i := webgpu.NewInstance(here(), webgpu.Options{Dialect: webgpu.Go, Open: func(shader.AdapterKind) (*gpu.Device, error) { return engine, nil }})
	a, err := i.RequestAdapter(here(), false)
	require.NoError(t, err)
	var lost []webgpu.LostReason
	d, err := a.RequestDevice(here(), webgpu.DeviceDescriptor{Lost: func(r webgpu.LostReason, _ string) { lost = append(lost, r) }})
	require.NoError(t, err)
	w := &world{t: t, engine: engine, instance: i, adapter: a, Device: d}
	k := w.pipeline(`@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(1) fn main() { while x[0] == 0u { x[1] = 0u; } }`)
	x, back := w.buffer(8, all), w.buffer(8, readback)
	e := w.encoder()
	w.dispatch(e, k, x, [3]uint32{1, 1, 1})
	require.NoError(t, e.CopyBufferToBuffer(here(), x, 0, back, 0, 8))
	require.NoError(t, w.submit(w.finish(e)))
	var ended []webgpu.MapStatus
	var done []error
	require.NoError(t, back.MapAsync(here(), webgpu.MapModeRead, 0, 8, func(s webgpu.MapStatus) { ended = append(ended, s) }))
	w.Queue().OnSubmittedWorkDone(here(), func(err error) { done = append(done, err) })
	for len(ended) == 0 {
		_, _ = w.Poll(false)
	}
	require.Equal(t, []webgpu.MapStatus{webgpu.MapDeviceLost}, ended)
	require.Len(t, done, 1)
	require.ErrorIs(t, done[0], shader.ErrLost)
	require.Equal(t, []webgpu.LostReason{webgpu.LostUnknown}, lost)
	_, err = back.MappedRange(here(), 0, 8)
	require.ErrorContains(t, err, "did not finish within 100ms")
	w.PushErrorScope(here(), webgpu.ErrorFilterInternal)
	require.True(t, webgpu.IsLost(w.try(4, all)))
	caught, err := w.PopErrorScope(here())
	require.NoError(t, errors.Join(caught, err), "a lost device has no errors")
	require.NoError(t, second(w.PopErrorScope(here())), "and misses no scope")
	require.Error(t, w.Lost())
	idle, _ := w.Poll(true)
	require.True(t, idle, "a lost device has no work")
}

// Two passes and a dispatch with dynamic offsets bind other parts of the same buffer.
func TestDynamicOffsets(t *testing.T) {
	w := newWorld(t, webgpu.Go)
	l := w.layout(dynamic(entry(0, isStorage)))
	k, err := w.pipe(fill, w.pipelineLayout(l))
	require.NoError(t, err)
	x := w.buffer(512+16, all)
	g, err := w.groupOf(l, webgpu.BindGroupEntry{Buffer: x, Size: 16})
	require.NoError(t, err)
	e, p := w.pass()
	require.NoError(t, p.SetPipeline(here(), k))
	for _, offset := range []uint32{256, 512, 256} {
		require.NoError(t, p.SetBindGroup(here(), 0, g, []uint32{offset}))
		require.NoError(t, p.DispatchWorkgroups(here(), 1, 1, 1))
	}
	require.NoError(t, p.End(here()))
	require.NoError(t, w.submit(w.finish(e)))
	values := w.values(x)
	require.Equal(t, []uint32{0, 0, 0, 0}, values[:4])
	require.Equal(t, []uint32{0, 1, 2, 3}, values[64:68])
	require.Equal(t, []uint32{0, 1, 2, 3}, values[128:132])
}
