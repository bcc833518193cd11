// diagnosis: bins-left-behind
// title: The bins past the size of the workgroup never reach storage.
// why: Each invocation merges one bin, and your workgroup has fewer invocations than there are
//   bins.
// ask: There are 256 bins. Which invocation merges the last one?
// Each invocation merges its bin.
struct Params {
    n: u32, // bytes to count
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>; // 4 in a word, the lowest first
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>; // 256

const SIZE = 64u;
var<workgroup> here: array<atomic<u32>, 256>; // begins at 0

@compute @workgroup_size(SIZE)
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
