@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let v = float4(0.0); // mistake
  let n = arrayLength(a); // mistake
  a[0] = 1.0; // mistake
  out[id.x] = id.x; // mistake
  out[idx] = 1.0; // mistake
}
