struct Params { columns: u32, rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<u32>;
@group(0) @binding(2) var<storage, read_write> box: array<atomic<u32>>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x + id.y > 0u) {
    return;
  }
  for (var i = 0u; i < arrayLength(&image); i++) {
    if (image[i] > 0u) {
      atomicMin(&box[0], i % params.columns);
      atomicMin(&box[1], i / params.columns);
      atomicMax(&box[2], i % params.columns);
      atomicMax(&box[3], i / params.columns);
    }
  }
}
