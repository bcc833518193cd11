// goals: coalesced
// Workgroups of one row each, and two guards in two lines.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (col >= dims.cols) { return; }
    if (row >= dims.rows) { return; }
    out[row * dims.cols + col] = 1000u * row + col;
}
