// diagnosis: scatter
// title: Element i of x goes to out[index[i]].
// why: This is the other way round: index says where an element goes to, not where it comes from.
// ask: Which element of x should be in out[0]?
// index says where each element belongs.
@group(0) @binding(0) var<storage, read> index: array<u32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&out)) {
    out[index[id.x]] = x[id.x];
  }
}
