// argmax: out[row] is the index of the largest number in that row of x (rows × cols).
//
// One invocation walks along one row. A later number must be larger to win, not
// just as large, so the lowest index wins a tie.

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
    if (row >= dims.rows) {
        return;
    }
    let start = row * dims.cols;
    var best = 0u;
    for (var column = 1u; column < dims.cols; column++) {
        if (x[start + column] > x[start + best]) {
            best = column;
        }
    }
    out[row] = best;
}
