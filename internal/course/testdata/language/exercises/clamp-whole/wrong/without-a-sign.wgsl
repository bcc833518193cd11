// diagnosis: without-a-sign
// title: Negative numbers count as large ones.
// why: A u32 has no sign: the bits of -1 are those of 4294967295.
// ask: Which type has numbers below 0?
// A number of 32 bits.
struct Limits { low: i32, high: i32 }
@group(0) @binding(0) var<uniform> limits: Limits;
@group(0) @binding(1) var<storage, read> x: array<i32>;
@group(0) @binding(2) var<storage, read_write> out: array<i32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&out)) {
    let v = clamp(u32(x[id.x]), u32(max(limits.low, 0)), u32(limits.high));
    out[id.x] = i32(v);
  }
}
