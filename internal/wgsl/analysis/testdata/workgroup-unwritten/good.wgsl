var<workgroup> tile: array<f32, 64>;
var<workgroup> count: atomic<u32>;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  tile[i] = f32(i);
  atomicAdd(&count, 1);
  workgroupBarrier();
  data[i] = tile[63 - i];
}
