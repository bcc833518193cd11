// goals: coalesced
// The index first; row and column come back out of it.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.rows || col >= dims.cols) {
        return;
    }
    let i = row * dims.cols + col;
    out[i] = i / dims.cols * 1000u + i % dims.cols;
}
