@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  int i = 0; // mistake
  let x = a[id.x] // mistake
  i := id.x; // mistake
  out[i++] = x; // mistake
  out[0] = (f32)i; // mistake
}
