// append: the key of a new letter goes into the cache, or its value.
//
// The newest letter looks at the keys and values of all letters before it. Those don't change
// when a letter comes: each depends only on what came before. So they are computed
// once and kept, in a cache with a row for each letter. A new letter adds one row.
//
// One invocation copies one number.

struct Params {
    n: u32, // numbers in a row
    at: u32, // the row of the new letter
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> cache: array<f32>; // rows × n

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    cache[params.at * params.n + id.x] = x[id.x];
}
