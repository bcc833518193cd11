// goals: coalesced
// 256 invocations, and the bias as the product of one more input; the first subgroup adds up.
enable subgroups;
const SIZE = 256u;
struct Dims {
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

var<workgroup> parts: array<f32, SIZE / 4u>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) count: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let o = group.x;
    let me = local.x;
    var sum = select(0.0, bias[o], me == 0u);
    for (var j = me; j < dims.k; j += SIZE) {
        sum += x[j] * w[o * dims.k + j];
    }
    sum = subgroupAdd(sum);
    if (lane == 0u) {
        parts[subgroup] = sum;
    }
    workgroupBarrier();
    if (subgroup == 0u) {
        let width = subgroupAdd(1u);
        sum = 0.0;
        for (var i = lane; i < count; i += width) {
            sum += parts[i];
        }
        sum = subgroupAdd(sum);
        if (lane == 0u) {
            out[o] = sum;
        }
    }
}
