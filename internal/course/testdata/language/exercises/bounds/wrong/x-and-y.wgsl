// diagnosis: x-and-y
// title: The box is turned: x and y have changed places.
// why: The first number is the smallest y.
// ask: Which of the two is the column?
// Row and column.
struct Params { columns: u32, rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<u32>;
@group(0) @binding(2) var<storage, read_write> box: array<atomic<u32>>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.columns && id.y < params.rows && image[id.y * params.columns + id.x] > 0u) {
    atomicMin(&box[0], id.y);
    atomicMin(&box[1], id.x);
    atomicMax(&box[2], id.y);
    atomicMax(&box[3], id.x);
  }
}
