// diagnosis: whole-array
// title: Every row got the sum of the whole matrix.
// why: The loop ran over all of x. A row has cols elements.
// ask: Which part of x belongs to this invocation?
// The array is added up to its end.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    var sum = 0.0;
    for (var i = 0u; i < arrayLength(&x); i++) {
        sum += x[i];
    }
    out[row] = sum;
}
