// diagnosis: once-each
// title: Each bin whose value is there at all holds 1.
// why: atomicStore puts a 1 in place of the count, however often the value comes.
// ask: What should happen to a bin whose value comes a second time?
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
