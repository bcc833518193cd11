package judge_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A shader must be right with subgroups of any size, whatever invocations they have.
func TestSubgroupsOfOtherSizes(t *testing.T) {
	const frame = `enable subgroups;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
var<workgroup> parts: array<f32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32, @builtin(subgroup_invocation_id) lane: u32,
        @builtin(subgroup_size) size: u32, @builtin(subgroup_id) id: u32, @builtin(num_subgroups) number: u32) {
	var sum = x[group.x * 64u + i];
	BODY
	workgroupBarrier();
	if i == 0u {
		var all = 0.0;
		for (var k = 0u; k < number; k++) { all += parts[k]; }
		out[group.x] = all;
	}
}`
	for body, said := range map[string]string{
		"sum = subgroupAdd(sum);\n	if lane == 0u { parts[id] = sum; }":                                                                                                                                                              "",
		"for (var step = min(size, 64u) / 2u; step > 0u; step /= 2u) { sum += subgroupShuffleXor(sum, step); }\n	if subgroupElect() { parts[id] = sum; }":                                                                           "",
		"for (var step = 1u; step < min(size, 64u); step *= 2u) { sum += subgroupShuffleDown(sum, step); }\n	if lane == 0u { parts[id] = sum; }":                                                                                    "",
		"sum = subgroupAdd(sum);\n	if i % 32u == 0u { parts[i / 32u] = sum; }":                                                                                                                                                      "32 invocations, and wrong with subgroups of 16",
		"for (var step = 16u; step > 0u; step /= 2u) { sum += subgroupShuffleXor(sum, step); }\n	if lane == 0u { parts[id] = sum; }":                                                                                                "32 invocations, and wrong with subgroups of 64",
		"sum += subgroupShuffleDown(sum, 16); sum += subgroupShuffleDown(sum, 8); sum += subgroupShuffleDown(sum, 4); sum += subgroupShuffleDown(sum, 2); sum += subgroupShuffleDown(sum, 1);\n	if lane == 0u { parts[id] = sum; }": "32 invocations, and wrong with subgroups of 64",
		"sum = subgroupAdd(sum);\n	if i % size == 0u { parts[i / size] = sum; }":                                                                                                                                                    "neighbours are in one subgroup, and wrong where they are not",
		"for (var step = size / 2u; step > 0u; step /= 2u) { sum += subgroupShuffleXor(sum, step); }\n	if lane == 0u { parts[id] = sum; }":                                                                                          "32 invocations, and wrong with subgroups of 128",
		"sum = subgroupAdd(sum);\n	if i % size == 0u { parts[id] = sum; }":                                                                                                                                                          "neighbours are in one subgroup, and wrong where they are not",
	} {
		e, err := course.Find("sum-64")
		require.NoError(t, err)
		engine := simulator.New(simulator.Options{})
		v, err := judge.Run(t.Context(), shader.Engines{Values: engine, Watcher: engine}, e, shader.Read("sum-64.wgsl", strings.Replace(frame, "BODY", body, 1)), 1)
		require.NoError(t, err)
		if said == "" {
			require.True(t, v.Passed(), "%s: %s", body, v.Message)
			continue
		}
		require.Contains(t, v.Message, said, body)
		require.Equal(t, verdict.OtherSubgroups, v.Slug)
		require.Equal(t, strings.Contains(body, "32u") || strings.Contains(body, "16"), v.Line > 0, "%s: the number is shown", body)
		require.Contains(t, v.Try, "// subgroups: ")
		require.NotNil(t, v.Mismatch)
	}
}
