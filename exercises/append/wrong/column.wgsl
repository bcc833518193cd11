// diagnosis: column
// title: x was written as a column.
// why: In the cache the numbers of one letter are side by side.
// ask: Which elements of the cache are row at?
// Each number has a row.
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
    cache[id.x * (arrayLength(&cache) / params.n) + params.at] = x[id.x];
}
