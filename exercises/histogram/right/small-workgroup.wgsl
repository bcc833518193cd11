// goals: none
// way: Workgroups of 64 walk through their 256 bins in four steps, so any size works.
// 64 invocations merge 256 bins.
struct Params {
    n: u32, // bytes to count
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bytes: array<u32>; // 4 in a word, the lowest first
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>; // 256

var<workgroup> here: array<atomic<u32>, 256>; // begins at 0

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = id.x;
    if (i < params.n) {
        let value = (bytes[i / 4u] >> (8u * (i % 4u))) & 255u;
        atomicAdd(&here[value], 1u);
    }
    workgroupBarrier(); // all of the workgroup have counted
    for (var bin = local.x; bin < 256u; bin += 64u) {
        atomicAdd(&bins[bin], atomicLoad(&here[bin]));
    }
}
