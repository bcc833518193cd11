var<workgroup> tile: array<f32, 64>;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

fn wait() { workgroupBarrier(); }

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  tile[i] = f32(i);
  wait();
  data[i] = tile[63 - i];
  storageBarrier();
}
