// diagnosis: once-each
// title: No bin gets past 1.
// why: atomicStore replaces the count with a 1, however often the value occurs.
// ask: What should happen to a bin when its value occurs a second time?
// The byte is there, so its bin gets a 1.
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
    atomicStore(&bins[value], 1u);
}
