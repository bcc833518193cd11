// goals: coalesced
// The workgroup is flat, and the index has a name.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.rows || col >= dims.cols) {
        return;
    }
    let at = row * dims.cols + col;
    out[at] = (at / dims.cols + at % dims.cols) % 2u;
}
