package wgpu_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
	"github.com/wgslab/wgslab/pkg/wgpu"
)

// What lessons say of mixed-up and wrong calls is what the calls say: see the answers of read-order
// and read-bytes.
func TestAnswersAreWhatTheCallsSay(t *testing.T) {
	t.Setenv("WGSLAB_ENGINE", "simulator")
	for _, id := range []string{"read-order", "read-bytes"} {
		q, err := course.FindQuestion(id)
		require.NoError(t, err)
		for _, a := range q.Answers {
			sums, wrong := hostOf(t, a.Text)
			switch {
			case a.Right && id == "read-order", strings.Contains(a.Why, "returns 250"):
				require.Nil(t, wrong, a.Text)
				require.Equal(t, map[bool]int{true: 1000, false: 250}[a.Right], len(sums), a.Text)
				require.Equal(t, float32(3), sums[0])
			default:
				require.NotNil(t, wrong, a.Text)
				require.Contains(t, a.Why, wrong.Wrong, a.Text)
			}
		}
	}
}

// hostOf runs the host that a question shows on 1,000 numbers, as one of its answers has it: its
// lines in that order, or with that line changed. The words of read-bytes's right answer are about
// the unchanged program.
func hostOf(t *testing.T, answer string) (sums []float32, wrong *webgpu.Mistake) {
	t.Helper()
	const n, storage = uint64(1000), wgpu.BufferUsageStorage | wgpu.BufferUsageCopySrc
	order, size, maps, reads := "EBFADC", 4*n, n, 4*n
	switch answer[:6] {
	case "Line 2":
		size = n
	case "Line 6":
		reads = n
	case "Line 5":
	default:
		order, maps = strings.ReplaceAll(answer, " ", ""), 4*n
	}
	defer func() {
		if p := recover(); p != nil {
			require.ErrorAs(t, p.(error), &wrong)
		}
	}()
	adapter := must(wgpu.CreateInstance(nil).RequestAdapter(nil))
	device := must(adapter.RequestDevice(nil))
	defer device.Release()
	out := must(device.CreateBuffer(&wgpu.BufferDescriptor{Size: size, Usage: storage}))
	readback := must(device.CreateBuffer(&wgpu.BufferDescriptor{Size: 4 * n, Usage: wgpu.BufferUsageMapRead | wgpu.BufferUsageCopyDst}))
	add := must(device.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{Compute: wgpu.ProgrammableStageDescriptor{
		EntryPoint: "main",
		Module: must(device.CreateShaderModule(&wgpu.ShaderModuleDescriptor{WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: `
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&out)) { out[id.x] = 3.0; }
}`}})),
	}}))
	group := must(device.CreateBindGroup(&wgpu.BindGroupDescriptor{Layout: add.GetBindGroupLayout(0), Entries: []wgpu.BindGroupEntry{{Buffer: out, Size: size}}}))
	encoder := must(device.CreateCommandEncoder(nil))
	pass := encoder.BeginComputePass(nil)
	mapped := false
	lines := map[rune]func(){
		'A': func() { check(encoder.CopyBufferToBuffer(out, 0, readback, 0, 4*n)) },
		'B': func() { pass.DispatchWorkgroups(16, 1, 1) },
		'C': func() {
			check(readback.MapAsync(wgpu.MapModeRead, 0, maps, func(wgpu.BufferMapAsyncStatus) { mapped = true }))
		},
		'D': func() { device.GetQueue().Submit(must(encoder.Finish(nil))) },
		'E': func() { pass.SetPipeline(add); pass.SetBindGroup(0, group, nil) },
		'F': func() { check(pass.End()) },
	}
	for _, line := range order {
		lines[line]()
	}
	for !mapped {
		device.Poll(true, nil)
	}
	return append(sums, wgpu.FromBytes[float32](readback.GetMappedRange(0, uint(reads)))...), nil
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// The scopes of read-scopes catch what its right answer says.
func TestScopesCatchWhatTheLessonSays(t *testing.T) {
	q, err := course.FindQuestion("read-scopes")
	require.NoError(t, err)
	said := scripted(t, "async function addVectors(device) {\n"+q.Code+"throw new Error(`\\`first\\` is a \\`${first?.constructor.name}\\`, and \\`second\\` is \\`${second}\\``); }")
	for _, a := range q.Answers {
		require.Equal(t, a.Right, a.Text == said, said)
	}
}
