// diagnosis: whole-array
// title: Every column got the sum of the whole matrix.
// why: The loop ran over all of d. A column has one element in each row.
// ask: Which part of d belongs to this invocation?
// The array is added up to its end.
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
    for (var i = 0u; i < arrayLength(&d); i++) {
        total += d[i];
    }
    db[col] = total;
}
