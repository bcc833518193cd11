// goals: coalesced
// way: One subgroup computes the output alone: no workgroup memory and no barrier. subgroupAdd(1)
//   counts its invocations.
enable subgroups;
const SIZE = 64u;
struct Dims {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let o = group.x;
    if (subgroup > 0u) {
        return;
    }
    let width = subgroupAdd(1u);
    var sum = 0.0;
    for (var j = lane; j < dims.k; j += width) {
        sum += x[j] * w[o * dims.k + j];
    }
    sum = subgroupAdd(sum);
    if (subgroupElect()) {
        out[o] = bias[o] + sum;
    }
}
