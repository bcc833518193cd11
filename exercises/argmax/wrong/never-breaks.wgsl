// diagnosis: did-not-finish
// loop ends when there is nothing left.
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
    var index = 0u;
    var col = 0u;
    loop {
        if (x[row * dims.cols + col] > x[row * dims.cols + index]) { index = col; }
        col++;
    }
    out[row] = index;
}
