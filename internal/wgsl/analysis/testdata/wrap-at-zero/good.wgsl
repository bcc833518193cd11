@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if id.x > 0 { data[id.x] += data[id.x - 1]; }
  data[arrayLength(&data) - 1] = 0.0;
  for (var i = 4u; i > 0; i--) { data[i - 1] = 0.0; }
}

// These can't be 0.
@compute @workgroup_size(64)
fn bounded(@builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {
  let n = arrayLength(&data);
  data[n - 1u] = 0.0;
  let twice = 2u * n;
  data[twice / 2u - 1u] = 1.0;
  data[groups.x - 1u] = 2.0;
  data[(lane | 1u) - 1u] = 3.0;
  data[lane + 4u - 3u] = 4.0;
  data[(lane + 1u) * 2u - 2u] = 5.0;
  data[(1u << 3u) + lane - 8u] = 6.0;
}
