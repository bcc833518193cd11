// histogram: each workgroup counts 256 bytes in bins of its own, and then adds them to all bins.
//
// Workgroup memory is near, so the many small additions cost little there. Only one addition a bin
// goes to storage, where the workgroups meet.

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
    workgroupBarrier(); // all of the workgroup have counted
    let count = atomicLoad(&here[local.x]);
    if (count > 0u) {
        atomicAdd(&bins[local.x], count);
    }
}
