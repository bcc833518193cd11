enable f16;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@group(0) @binding(1) var<uniform> scale: vec4<f16>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  data[u32(f16(id.x))] = 0.0; // want `2,049 becomes 2,048`
  let at = f16(id.x) * scale.x + 1.0h;
  let source = i32(floor(at)); // want `is an index`
  data[id.x] = data[source];
  data[id.x] = data[u32(f16(id.y) / 2.0h) * 64u + id.x % 64u]; // want `an f16 holds`
  let both = vec2<u32>(vec2<f16>(id.xy) * scale.xy); // want `is an index`
  data[id.x] += data[both.x];
  let rows = f16(id.y) * 64.0h;
  data[u32(rows + f16(id.x))] = 1.0; // want `is an index`
}
