// diagnosis: counts-places
// title: Your bins count places, not values.
// why: Your shader chooses the bin by where the byte is. It should choose it by the byte's value.
// ask: In which bin does a byte of 7 belong, wherever it is?
// Each invocation has a bin.
struct Params {
    n: u32, // bytes to count
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>; // 4 in a word, the lowest first
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>; // 256

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    let value = (bytes[i / 4u] >> (8u * (i % 4u))) & 255u;
    atomicAdd(&bins[i % 256u], 1u);
}
