// diagnosis: rows
// title: The shader added along the rows instead of down the columns.
// why: A row of d is one sample with all of its neurons. A bias belongs to one neuron, in all
//   samples.
// ask: From one step to the next, should the row change or the column?
// The elements of a neuron are next to each other.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read_write> db: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let col = id.x;
    if (col >= dims.cols) {
        return;
    }
    var total = 0.0;
    for (var i = 0u; i < dims.cols; i++) {
        total += d[min(col, dims.rows - 1u) * dims.cols + i];
    }
    db[col] = total;
}
