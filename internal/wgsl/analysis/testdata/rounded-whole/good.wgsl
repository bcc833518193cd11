enable f16;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@group(0) @binding(1) var<storage, read> halves: array<f16>;
@group(0) @binding(2) var picture: texture_2d<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  var own: array<f32, 256>;
  data[id.x] = f32(f16(id.x)) + f32(halves[id.x]);
  data[u32(f32(id.x) * 0.5)] = 1.0;
  data[u32(f16(lane) * 2.0h)] = 1.0;
  data[u32(f16(id.x % 64u) * 2.0h)] = 1.0;
  data[u32(halves[id.x])] = 2.0;
  own[u32(f16(id.x))] = 1.0;
  for (var k = 0u; k < 100u; k++) { data[u32(f16(k) * 1.5h)] = own[k]; }
  data[min(u32(f16(id.x)), 100u)] = 3.0;
  let shade = u32(f16(id.x));
  data[id.x] += f32(shade);
  data[u32(f16(id.y) * 32.0h + f16(id.x))] = 1.0;
  let row = 16.0h * f16(id.y);
  data[u32(row + f16(id.x))] = 1.0;
  data[id.x] += textureLoad(picture, vec2u(floor(vec2h(id.xy) * 2.0h + 0.5h)), 0).x;
}
