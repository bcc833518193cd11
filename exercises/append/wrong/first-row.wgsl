// diagnosis: first-row
// title: x was written to the first row.
// why: Your index doesn't use params.at. The first row belongs to the first letter of the text.
// ask: Where does row 2 begin if a row has 6 numbers?
// x is written to the cache.
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
    cache[id.x] = x[id.x];
}
