// diagnosis: only-above
// title: Numbers below low stay as they are.
// why: min compares only with high.
// ask: What should happen to a number below low?
// The smaller of two numbers.
struct Limits { low: i32, high: i32 }
@group(0) @binding(0) var<uniform> limits: Limits;
@group(0) @binding(1) var<storage, read> x: array<i32>;
@group(0) @binding(2) var<storage, read_write> out: array<i32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&out)) {
    out[id.x] = min(x[id.x], limits.high);
  }
}
