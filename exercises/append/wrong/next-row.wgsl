// diagnosis: next-row
// title: x was written one row too far.
// why: Rows count from 0: with at = 0, x belongs in the first row.
// ask: How many rows come before row at?
// After the rows so far.
struct Params {
    n: u32,
    at: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> cache: array<f32>; // rows × n

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    cache[(params.at + 1u) * params.n + id.x] = x[id.x];
}
