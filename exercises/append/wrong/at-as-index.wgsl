// diagnosis: row-not-multiplied
// title: x begins at element at instead of row at.
// why: A row has n numbers, so row at begins after at such rows.
// ask: How many numbers come before row 2 if a row has 6?
// at is where it begins.
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
    cache[params.at + id.x] = x[id.x];
}
