struct Params { n: u32, scale: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read_write> count: atomic<u32>;
var<workgroup> tile: array<f32, 64>;
var<private> seen = 3;

fn scaled(v: vec2f) -> f32 {
  return dot(v, vec2f(1.5, params.scale));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) i: u32) {
  if (id.x < params.n && seen > 0) {
    tile[i] = sqrt(x[id.x]);
    atomicAdd(&count, 1u);
  }
  workgroupBarrier();
  var sum = 0.0;
  for (var k = 0; k < 64; k++) {
    sum += clamp(tile[k], -1.0, 1.0);
  }
  let pair = vec2f(sum, select(tile[0], tile[63], i > 7u));
  out[id.x] = scaled(pair);
}
