//go:build acceptance

package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/ladder"
)

// Every rung is right and has a speed, and so does the reference as a learner's own shader. The
// table marks a shader that is not right, and the command then ends like a check.
func TestRace(t *testing.T) {
	right, err := exercises.Reference("matmul")
	require.NoError(t, err)
	own := shaderFile(t, right)
	code, stdout, stderr := wgslab(t, "race", "--n", "64", "--json", own)
	require.Equal(t, exitOK, code, stderr)
	var table ladder.Measured
	require.NoError(t, json.Unmarshal([]byte(stdout), &table))
	for _, r := range table.Rungs {
		require.Empty(t, r.Problem, r.Name)
		require.Positive(t, r.GFLOPS, r.Name)
		require.Less(t, r.GFLOPS, table.Roof.GFLOPS, r.Name)
	}
	require.True(t, table.Rungs[0].Own)

	require.NoError(t, os.WriteFile(own, []byte(`struct Dims { m: u32, n: u32, k: u32 }
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < dims.n && id.y < dims.m) { out[id.y * dims.n + id.x] = a[0] * b[0] + f32(dims.k); }
}`), 0o644))
	code, stdout, stderr = wgslab(t, "race", "--n", "64", own)
	require.Equal(t, exitNotRight, code)
	require.Contains(t, stderr, "is not right")
	require.Contains(t, stdout, "naive")
}

func TestRaceAskedWrongly(t *testing.T) {
	for _, args := range [][]string{{"race", "--n", "63"}, {"race", "no-such-file.wgsl"}} {
		code, _, stderr := wgslab(t, args...)
		require.Equal(t, exitAsked, code, args)
		require.NotEmpty(t, stderr)
	}
}
