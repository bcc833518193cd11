package cost_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// Counts beside the figures that NVIDIA publishes for the same accesses: the CUDA C++ Best
// Practices Guide (13), "Coalesced Access to Global Memory": its sections on simple, misaligned and
// strided accesses name 4, 5, 8 and up to 32 segments of 32 bytes for a warp. "An Efficient Matrix
// Transpose in CUDA Fortran" (NVIDIA Technical Blog), with the answers below it, names the
// conflicts of tiles of 32 and of 33.
func TestPublishedFigures(t *testing.T) {
	const (
		head = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
`
		copies = head + `@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) { out[i] = x[`
		tile = head + `const SIDE = 32u;
const PAD = `
		transposes = `u;
var<workgroup> tile: array<f32, SIDE * (SIDE + PAD)>;
@compute @workgroup_size(32, 8)
fn main(@builtin(local_invocation_id) local: vec3u) {
  for (var j = 0u; j < SIDE; j += 8u) { tile[(local.y + j) * (SIDE + PAD) + local.x] = x[(local.y + j) * SIDE + local.x]; }
  workgroupBarrier();
  for (var j = 0u; j < SIDE; j += 8u) { out[(local.y + j) * SIDE + local.x] = tile[local.x * (SIDE + PAD) + local.y + j]; }
}`
	)
	for name, of := range map[string]struct {
		source, variable, kind string
		sectors, turns         float64 // of 32 neighbours, as published
	}{
		"in order: four segments":                             {copies + "i]; }", "x", "read", 4, 0},
		"permuted in the four segments: still four":           {copies + "31u - i]; }", "x", "read", 4, 0},
		"not aligned with a segment: five":                    {copies + "i + 1u]; }", "x", "read", 5, 0},
		"a stride of 2: half of the bytes is wasted":          {copies + "2u * i]; }", "x", "read", 8, 0},
		"a stride of 1,024, as a transpose's: a segment each": {copies + "1024u * i]; }", "x", "read", 32, 0},
		"a column of a tile of 32: conflicts of 32":           {tile + "0" + transposes, "tile", "read", 0, 32},
		"with a row one longer: none":                         {tile + "1" + transposes, "tile", "read", 0, 1},
		"a row of the tile: none":                             {tile + "0" + transposes, "tile", "write", 0, 1},
		"the transpose through a tile reads in order":         {tile + "0" + transposes, "x", "read", 4, 0},
		"and writes in order":                                 {tile + "0" + transposes, "out", "write", 4, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := cost.Of(t.Context(), shader.Read("published.wgsl", of.source), shader.Dispatch{
				Workgroups: [3]uint32{1, 1, 1}, Output: 1,
				Buffers: []shader.Buffer{shader.FloatBuffer(make([]float32, 1<<15)), shader.FloatBuffer(make([]float32, 1<<10))},
			}, cost.Options{})
			require.NoError(t, err)
			seen := 0
			for _, l := range r.Lines {
				for _, a := range l.Accesses {
					if a.Variable != of.variable || a.Kind != of.kind {
						continue
					}
					seen++
					require.InDelta(t, of.sectors, a.Moved/32/a.Strips, 0)
					require.InDelta(t, of.turns, a.Turns/a.Strips, 0)
				}
			}
			require.Equal(t, 1, seen)
		})
	}
}
