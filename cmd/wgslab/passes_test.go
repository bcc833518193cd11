package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/observe/cost"
	"github.com/wgslab/wgslab/internal/observe/memtrace"
)

// scanning is a prefix sum in three passes, the first of which computes the workgroups of the
// others.
const scanning = `@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@compute @workgroup_size(1) fn plan() {
    counts[0] = (arrayLength(&data) + 3u) / 4u; counts[1] = 1u; counts[2] = 1u;
}
@compute @workgroup_size(1) fn scan_blocks(@builtin(workgroup_id) group: vec3u) {
    var sum = 0u;
    for (var i = 4u * group.x; i < min(4u * group.x + 4u, arrayLength(&data)); i++) {
        sum += data[i];
        data[i] = sum;
    }
    sums[group.x] = sum;
}
@compute @workgroup_size(4) fn add_sums(@builtin(workgroup_id) group: vec3u, @builtin(global_invocation_id) id: vec3u) {
    var before = 0u;
    for (var k = 0u; k < group.x; k++) { before += sums[k]; }
    if (id.x < arrayLength(&data)) { data[id.x] += before; }
}
`

// scan returns arguments that run all three passes on ten ones.
func scan(t *testing.T) []string {
	return []string{
		shaderFile(t, scanning), "--bind", "0=u32:1,1,1,1,1,1,1,1,1,1", "--bind", "1=u32[3]", "--bind", "2=u32:0,0,0",
		"--pass", "plan", "--pass", "scan_blocks=@2", "--pass", "add_sums=@0.2",
	}
}

// A pass takes its workgroups from what an earlier one has written.
func TestSimulateIndirectPasses(t *testing.T) {
	code, s := simulateJSON(t, scan(t)...)
	require.Equal(t, exitOK, code)
	require.Equal(t, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, floats(s.Buffers[0]))
	require.Equal(t, []float64{3, 1, 1}, floats(s.Buffers[2]))

	args := []string{shaderFile(t, scanning), "--bind", "0=u32[4]", "--bind", "1=u32[4]", "--bind", "3=u32:65536,1,1"}
	code, s = simulateJSON(t, append(args, "--pass", "scan_blocks=@3")...)
	require.Equal(t, exitNotRight, code)
	require.Len(t, s.Findings, 1)
	require.Contains(t, s.Findings[0].Message, "a device has at most 65535 in a dimension, and runs none of them")
	require.Equal(t, 7, s.Findings[0].Line)
	require.Equal(t, []float64{0, 1, 2, 3}, floats(s.Buffers[0]), "nothing ran")
	code, _, stderr := wgslab(t, append(append([]string{"simulate"}, args[:len(args)-2]...), "--entry", "scan_blocks", "--workgroups", "@1")...)
	require.Equal(t, exitAsked, code)
	require.Contains(t, stderr, "which it may write as `sums`: WebGPU refuses that")
}

// The debugger steps through the last pass, on what the others left.
func TestDebugThePassAfterOthers(t *testing.T) {
	code, stdout, stderr := debugged(t, "break 18 if id.x == 9u\nrun\nprint before\nprint data[9]\nq\n", append([]string{"-"}, scan(t)...)...)
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, ", plan, scan_blocks, then add_sums")
	require.Contains(t, stdout, "Invocation 1,0,0 of workgroup 2,0,0 at line 18")
	require.Contains(t, stdout, "\n8u\n2u\n")

	endless := shaderFile(t, strings.Replace(scanning, "i++)", ")", 1))
	for want, args := range map[string][]string{
		"pass plan=0: ":             {endless, "--pass", "plan=0"},
		"nothing is bound to":       {endless, "--pass", "plan", "--pass", "add_sums"},
		"no buffer is given for":    {endless, "--pass", "plan=@7", "--pass", "add_sums", "--bind", "0=u32[64]", "--bind", "1=u32[64]", "--bind", "2=u32[64]"},
		"[entry pass] were all set": {endless, "--pass", "plan", "--entry", "plan"},
	} {
		code, _, stderr := debugged(t, "", append([]string{"-"}, args...)...)
		require.Equal(t, exitAsked, code, want)
		require.Contains(t, stderr, want)
	}
}

const blurring = `
override SIDE: u32;
@group(0) @binding(0) var img: texture_2d<f32>;
@group(0) @binding(1) var out: texture_storage_2d<rgba8unorm, write>;
@group(0) @binding(2) var s: sampler;
@compute @workgroup_size(SIDE, SIDE) fn main(@builtin(global_invocation_id) id: vec3u) {
  let last = textureDimensions(img) - 1;
  let sum = textureLoad(img, id.xy, 0) + textureLoad(img, min(id.xy + vec2(1, 0), last), 0);
  textureStore(out, id.xy, mix(sum / 2, textureSampleLevel(img, s, vec2f(id.xy) / 32, 0), 0.5));
}`

// Each pass has its own counts, and its own trace. Textures are counted as well.
func TestCostsAndTracesOfPasses(t *testing.T) {
	code, stdout, stderr := wgslab(t, append([]string{"cost", "-"}, scan(t)...)...)
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "scan_blocks: 3 workgroups of 1\n")
	require.Contains(t, stdout, "add_sums: 3 workgroups of 4\n")
	require.Contains(t, stdout, "\nAll 3 passes: at least ")
	code, stdout, stderr = wgslab(t, append([]string{"cost", "--json", "-"}, scan(t)...)...)
	require.Equal(t, exitOK, code, stderr)
	var all []*cost.Comparison
	require.NoError(t, json.Unmarshal([]byte(stdout), &all))
	require.Len(t, all, 3)
	require.Equal(t, "plan", all[0].Yours.Case)

	code, stdout, stderr = wgslab(t, append([]string{"trace", "--json", "-"}, scan(t)...)...)
	require.Equal(t, exitOK, code, stderr)
	traces := json.NewDecoder(strings.NewReader(stdout))
	for _, reads := range []int{0, 10, 10} {
		var of memtrace.Trace
		require.NoError(t, traces.Decode(&of))
		require.Equal(t, reads, of.Variable("data").Reads.Total, of.Case)
	}
	blur := []string{"-", shaderFile(t, blurring), "--bind", "0=texture[32,32]", "--bind", "1=texture[32,32]", "--bind", "2=sampler:linear", "--override", "SIDE=8", "--workgroups", "4,4"}
	code, stdout, stderr = wgslab(t, append([]string{"cost"}, blur...)...)
	require.Equal(t, exitOK, code, stderr)
	require.Regexp(t, `textureStore.* 4.1 kB +4.1 kB`, stdout, "32 × 32 texels of 4 bytes")
	code, stdout, stderr = wgslab(t, append([]string{"trace"}, blur...)...)
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "reads elements (0, 0) and (0, 1) of img, and writes element (0, 0) of out")

	for _, command := range []string{"cost", "trace"} {
		code, _, stderr := wgslab(t, command, "relu", "--bind", "0=u32[4]")
		require.Equal(t, exitAsked, code)
		require.Contains(t, stderr, "--bind works only with a file instead of an exercise")
		code, _, stderr = wgslab(t, command, "-", shaderFile(t, scanning), "--bind", "0=u32[4]", "--bind", "2=u32[4]", "--pass", "scan_blocks")
		require.Equal(t, exitAsked, code)
		require.Contains(t, stderr, "nothing is bound to `sums`, @group(0) @binding(1)")
	}
}
