// diagnosis: merged-too-early
// title: Your workgroup merges its bins before it has counted all of its bytes.
// why: Atomics keep additions from getting lost, but they order nothing. An invocation may merge a
//   bin while others are still counting.
// ask: At which line do all invocations of a workgroup wait for each other?
// Atomics need no barrier.
struct Params {
    n: u32, // bytes to count
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>; // 4 in a word, the lowest first
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>; // 256

var<workgroup> here: array<atomic<u32>, 256>; // begins at 0

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = id.x;
    if (i < params.n) {
        let value = (bytes[i / 4u] >> (8u * (i % 4u))) & 255u;
        atomicAdd(&here[value], 1u);
    }
    let count = atomicLoad(&here[local.x]);
    if (count > 0u) {
        atomicAdd(&bins[local.x], count);
    }
}
