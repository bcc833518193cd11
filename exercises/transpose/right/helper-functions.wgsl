// goals: none
// Each matrix has a function for its indices; workgroups of one row.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

fn in_x(row: u32, column: u32) -> u32 {
    return row * dims.cols + column;
}

fn in_out(row: u32, column: u32) -> u32 {
    return row * dims.rows + column;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= dims.rows) { return; }
    if (id.y >= dims.cols) { return; }
    out[in_out(id.y, id.x)] = x[in_x(id.x, id.y)];
}
