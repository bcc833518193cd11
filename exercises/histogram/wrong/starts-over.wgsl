// diagnosis: clears-what-was-counted
// title: The counts that the bins held before are lost.
// why: Some invocations set the bins to 0 first. A barrier holds only one workgroup, so others may
//   have counted before. The host's counts are gone as well.
// ask: Which invocations wait at a barrier?
// Count from 0.
struct Params {
    n: u32, // bytes to count
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>; // 4 in a word, the lowest first
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>; // 256

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = id.x;
    if (i < 256u) {
        atomicStore(&bins[i], 0u);
    }
    storageBarrier();
    if (i < params.n) {
        let value = (bytes[i / 4u] >> (8u * (i % 4u))) & 255u;
        atomicAdd(&bins[value], 1u);
    }
}
