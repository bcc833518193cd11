package sim_test

import (
	"testing"

	"github.com/wgslab/wgslab/internal/machine/sim"
)

// benchmarks are the shaders that we measure. Their operations are those that WGSL writes:
// arithmetic, comparisons, loads, stores and jumps.
var benchmarks = []struct {
	name       string
	code       string
	workgroups [3]uint32
	bytes      []int
	operations float64
}{
	{"integers", `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = id.x;
  for (var i = 0u; i < 10000u; i++) { x = (x ^ (x >> 3u)) * 747796405u + i; }
  out[id.x] = x;
}`, [3]uint32{4, 1, 1}, []int{1024}, 256 * 10000 * 6}, // shift, xor, product, sum, comparison, increment
	{"matmul", `
struct Dims { m: u32, n: u32, k: u32 }
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= dims.n || id.y >= dims.m) { return; }
  var sum = 0.0;
  for (var i = 0u; i < dims.k; i++) { sum += a[id.y * dims.k + i] * b[i * dims.n + id.x]; }
  out[id.y * dims.n + id.x] = sum;
}`, [3]uint32{16, 16, 1}, []int{16, 4 * 128 * 128, 4 * 128 * 128, 4 * 128 * 128}, 128 * 128 * 128 * 13},
	{"tree", `
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
var<workgroup> s: array<f32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) l: u32, @builtin(global_invocation_id) id: vec3u) {
  s[l] = data[id.x];
  workgroupBarrier();
  for (var step = 32u; step > 0u; step >>= 1u) {
    if (l < step) { s[l] = max(s[l], s[l + step]); }
    workgroupBarrier();
  }
  data[id.x] = exp(data[id.x] - s[0]);
}`, [3]uint32{256, 1, 1}, []int{4 * 64 * 256}, 256 * (64*(6*4+8) + 63*5)},
}

func BenchmarkRun(b *testing.B) {
	for _, shader := range benchmarks {
		for _, watch := range []bool{false, true} {
			name := shader.name + "/unwatched"
			if watch {
				name = shader.name + "/watched"
			}
			b.Run(name, func(b *testing.B) {
				program := mustBuild(b, shader.code)
				buffers := make([][]byte, len(shader.bytes))
				for i, n := range shader.bytes {
					buffers[i] = make([]byte, n)
				}
				if len(buffers) == 4 {
					buffers[0] = []byte{128, 0, 0, 0, 128, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0}
				}
				var steps uint64
				for b.Loop() {
					steps += run(b, program, shader.workgroups, sim.Options{Watch: watch, Cores: 1}, buffers...).Steps
				}
				b.ReportMetric(shader.operations*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mop/s")
				b.ReportMetric(float64(steps)/b.Elapsed().Seconds()/1e6, "Minstr/s")
			})
		}
	}
}
