// diagnosis: first-subgroup-only
// title: The sum has only the products of one subgroup.
// why: subgroupAdd adds up the numbers of one subgroup. A workgroup of 64 invocations may have
//   several subgroups, and the sums of the others are missing.
// ask: With subgroups of 32, how many sums does a workgroup of 64 find?
// subgroupAdd adds up everything.
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
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let o = group.x;
    let me = local.x;
    var sum = 0.0;
    for (var j = me; j < dims.k; j += SIZE) {
        sum += x[j] * w[o * dims.k + j];
    }
    sum = subgroupAdd(sum);
    if (me == 0u) {
        out[o] = bias[o] + sum;
    }
}
