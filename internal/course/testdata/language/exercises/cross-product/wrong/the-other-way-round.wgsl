// diagnosis: the-other-way-round
// title: The vectors point in the opposite direction.
// why: b × a is -(a × b).
// ask: Does the order of the factors matter?
// The order of factors doesn't matter.
@group(0) @binding(0) var<storage, read> a: array<vec3<f32>>;
@group(0) @binding(1) var<storage, read> b: array<vec3<f32>>;
@group(0) @binding(2) var<storage, read_write> out: array<vec3<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&out)) {
    out[id.x] = cross(b[id.x], a[id.x]);
  }
}
