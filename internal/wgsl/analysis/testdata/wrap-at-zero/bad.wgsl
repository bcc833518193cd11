@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  data[id.x] += data[id.x - 1]; // want `wraps around`
}

@compute @workgroup_size(64)
fn unbounded(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let n = arrayLength(&data);
  data[n - 2u] = 0.0; // want `wraps around`
  data[n / 2u - 1u] = 1.0; // want `wraps around`
  data[group.x - 1u] = 2.0; // want `wraps around`
  let both = lane & 1u;
  data[both - 1u] = 3.0; // want `wraps around`
  data[lane + 2u - 3u] = 4.0; // want `wraps around`
}

fn left(x: u32) -> f32 { return data[x - 1u]; } // want `wraps around`

@compute @workgroup_size(8, 8)
fn stencil(@builtin(global_invocation_id) id: vec3u) {
  let i = id.y * 32u + id.x;
  data[i] = data[i - 1u] + left(id.x); // want `wraps around`
}

@compute @workgroup_size(64)
fn guarded(@builtin(global_invocation_id) id: vec3u) {
  if id.x > 0u { data[id.x] = left(id.x); }
}
