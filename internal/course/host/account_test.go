package host_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

const double = `@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3<u32>) { y[id.x] = 2u * x[id.x]; }`

// A word of the result is followed back through the copy that moved it, to the dispatch that wrote
// it, and from what that dispatch read to the host's write. What a write after the submission sends
// isn't there yet.
func TestOriginsOfAResult(t *testing.T) {
	engine, err := gpu.Open(gpu.Require(shader.Simulated))
	require.NoError(t, err)
	t.Cleanup(engine.Close)
	var at webgpu.HostSite
	instance := webgpu.NewInstance(at, webgpu.Options{Dialect: webgpu.Go, Record: webgpu.NewRecord(), Open: func(shader.AdapterKind) (*gpu.Device, error) { return engine, nil }})
	adapter, err := instance.RequestAdapter(at, false)
	require.NoError(t, err)
	d, err := adapter.RequestDevice(at, webgpu.DeviceDescriptor{})
	require.NoError(t, err)
	buffer := func(words uint64, usage gpu.BufferUsage) *webgpu.Buffer {
		b, err := d.CreateBuffer(at, webgpu.BufferDescriptor{Size: 4 * words, Usage: usage})
		require.NoError(t, err)
		return b
	}
	const storage, from, to = gpu.UsageStorage, gpu.UsageCopySrc, gpu.UsageCopyDst
	x, y, back := buffer(4, storage|to), buffer(4, storage|from), buffer(4, gpu.UsageMapRead|to)
	module, err := d.CreateShaderModule(at, "", double)
	require.NoError(t, err)
	pipeline, err := d.CreateComputePipeline(at, webgpu.PipelineDescriptor{Module: module, EntryPoint: "main"})
	require.NoError(t, err)
	layout, err := pipeline.BindGroupLayout(at, 0)
	require.NoError(t, err)
	group, err := d.CreateBindGroup(at, "", layout, []webgpu.BindGroupEntry{{Binding: 0, Buffer: x, Size: 16}, {Binding: 1, Buffer: y, Size: 16}})
	require.NoError(t, err)

	require.NoError(t, d.Queue().WriteBuffer(at, x, 4, []byte{7, 0, 0, 0}))
	encoder, err := d.CreateCommandEncoder(at, "")
	require.NoError(t, err)
	pass, err := encoder.BeginComputePass(at, "", nil)
	require.NoError(t, err)
	require.NoError(t, pass.SetPipeline(at, pipeline))
	require.NoError(t, pass.SetBindGroup(at, 0, group, nil))
	require.NoError(t, pass.DispatchWorkgroups(at, 1, 1, 1))
	require.NoError(t, pass.End(at))
	require.NoError(t, encoder.CopyBufferToBuffer(at, y, 0, back, 4, 12))
	commands, err := encoder.Finish(at, "")
	require.NoError(t, err)
	require.NoError(t, d.Queue().Submit(at, []*webgpu.CommandBuffer{commands}))
	require.NoError(t, d.Queue().WriteBuffer(at, x, 0, []byte{9, 0, 0, 0}))
	require.NoError(t, back.MapAsync(at, webgpu.MapModeRead, 0, 16, func(webgpu.MapStatus) {}))
	_, err = d.Poll(true)
	require.NoError(t, err)
	_, err = back.MappedRange(at, 0, 16)
	require.NoError(t, err)

	a := host.Of(d.Record())
	require.True(t, a.Complete)
	require.Len(t, a.Runs, 1)
	require.Equal(t, [3]uint32{1, 1, 1}, a.Runs[0].Reach)
	in := a.Runs[0].Use(0)
	require.Equal(t, []host.WordOrigin{{}, {Kind: host.Written, Word: 1}, {}, {}}, in.Origins)
	first, _ := in.Word(0)
	second, _ := in.Word(1)
	require.Equal(t, []uint32{0, 7}, []uint32{first, second}, "the second write comes after the submission")
	require.Len(t, a.Reads, 1)
	require.Equal(t, []byte{0, 0, 0, 0, 0, 0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 0}, a.Reads[0].Data)
	require.Equal(t, []host.WordOrigin{
		{},
		{Kind: host.Computed, Word: 0, Copy: 1},
		{Kind: host.Computed, Word: 1, Copy: 1},
		{Kind: host.Zero, Word: 2, Copy: 1},
	}, a.Reads[0].Origins)
}
