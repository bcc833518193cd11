// diagnosis: starts-too-high
// title: Rows far below zero come out as index 0.
// why: The best value so far starts at a number that you took for low enough. In a row where every
//   value is lower still, nothing ever replaces it.
// ask: Which number can the best so far start with so that it always comes from the row?
// -1000 is low enough.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) { return; }
    let start = row * dims.cols;
    var best = -1000.0;
    var index = 0u;
    for (var col = 0u; col < dims.cols; col++) {
        let value = x[start + col];
        if (value > best) {
            best = value;
            index = col;
        }
    }
    out[row] = index;
}
