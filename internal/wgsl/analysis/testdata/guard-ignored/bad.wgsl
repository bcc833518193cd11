@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  let x = a[i]; // want `the guard is elsewhere`
  if i < arrayLength(&out) {
    out[i] = x;
  }
  out[i] += 1.0; // want `the guard is elsewhere`
}
