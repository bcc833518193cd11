// The speed of wgsl_reflect's interpreter on shaders of BenchmarkRun, to compare the simulator with.
//
//   npm install --no-save wgsl_reflect@1.6.0
//   cp node_modules/wgsl_reflect/wgsl_reflect.module.js wgsl_reflect.mjs
//   node testdata/reflect.mjs ./wgsl_reflect.mjs
//   go test -run '^$' -bench Run ./internal/machine/sim
//
// Both print millions of operations a second, counted alike; here by CPU time.
import { pathToFileURL } from "node:url";
const { WgslExec, WgslParser } = await import(pathToFileURL(process.argv[2]));

const shaders = {
integers: [`
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = id.x;
  for (var i = 0u; i < 100u; i++) { x = (x ^ (x >> 3u)) * 747796405u + i; }
  out[id.x] = x;
}`, [4,1,1], () => ({0: {0: new Uint32Array(256)}}), 256*100*6],
matmul: [`
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
}`, [2,2,1], () => ({0: {0: {uniform: new Uint32Array([16,16,16,0])}, 1: new Float32Array(256), 2: new Float32Array(256), 3: new Float32Array(256)}}), 16*16*16*13],
};

for (const [name, [code, groups, buffers, operations]] of Object.entries(shaders)) {
  const exec = new WgslExec(new WgslParser().parse(code));
  const began = process.cpuUsage(), started = performance.now();
  let runs = 0;
  do {
    exec.dispatchWorkgroups("main", groups, buffers());
    runs++;
  } while (performance.now() - started < 3000);
  const used = process.cpuUsage(began);
  console.log(name, ((operations * runs) / (used.user + used.system)).toFixed(2), "Mop/s");
}
