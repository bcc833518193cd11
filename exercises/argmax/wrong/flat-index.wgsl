// diagnosis: flat-index
// title: The index counts from the start of the whole array, not of the row.
// why: Element col of a row is at row * cols + col. The output needs col.
// ask: In the second row of 10, should the answer be 13 or 3?
// The index is where the value is in x.
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
    var best = x[start];
    var index = start;
    for (var i = start; i < start + dims.cols; i++) {
        let value = x[i];
        if (value > best) {
            best = value;
            index = i;
        }
    }
    out[row] = index;
}
