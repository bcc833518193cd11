// diagnosis: in-order
// title: The elements are copied in the order in which they are.
// why: index isn't used.
// ask: Which element of x should be in out[0]?
// A copy.
@group(0) @binding(0) var<storage, read> index: array<u32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&out)) {
    out[id.x] = x[id.x];
  }
}
