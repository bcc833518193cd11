// iota-2d: 1000 * row + col in every row and column of out
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let c = id.x;
    let r = id.y;
    if (c < dims.cols && r <= dims.rows) {
        out[r * dims.cols + c] = 1000u * c + r;
    }
}
