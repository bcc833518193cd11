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

// The guard asks for what the index is made of.
@compute @workgroup_size(8, 8)
fn inner(@builtin(global_invocation_id) id: vec3u) {
  if id.x == 0u || id.y == 0u { return; }
  let i = id.y * 32u + id.x;
  data[i] = data[i - 1u] + data[i - 32u];
  var at = i;
  data[at - 1u] += left(id.x);
  let row = id.y;
  let start = row * 32u;
  data[start - 1u] = 0.0;
}

fn left(x: u32) -> f32 { return data[x - 1u]; }

@compute @workgroup_size(8, 8)
fn inside(@builtin(global_invocation_id) id: vec3u) {
  if id.x > 0u && id.y > 0u {
    let i = id.y * 32u + id.x;
    data[i] = data[i - 32u] + left(id.x);
  }
}
