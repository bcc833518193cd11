// goals: no bank conflicts; few barriers
// way: Each invocation takes a whole row. With many rows that needs no barrier; with one row it
//   would use one invocation.
// Each invocation takes a row, numbered through all workgroups.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    let start = row * dims.cols;
    var largest = data[start];
    for (var c = 1u; c < dims.cols; c++) {
        largest = max(largest, data[start + c]);
    }
    var total = 0.0;
    for (var c = 0u; c < dims.cols; c++) {
        total += exp(data[start + c] - largest);
    }
    for (var c = 0u; c < dims.cols; c++) {
        data[start + c] = exp(data[start + c] - largest) / total;
    }
}
