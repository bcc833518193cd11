@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if id.x > 0 { data[id.x] += data[id.x - 1]; }
  data[arrayLength(&data) - 1] = 0.0;
  for (var i = 4u; i > 0; i--) { data[i - 1] = 0.0; }
}
