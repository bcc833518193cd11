@group(0) @binding(0) var<storage, read_write> out: array<f32>;
var<workgroup> tile: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) me: u32) {
  if (id.x < arrayLength(&out)) {
    tile[me] = out[id.x];
    workgroupBarrier();
    out[id.x] = tile[63u - me];
  }
}
