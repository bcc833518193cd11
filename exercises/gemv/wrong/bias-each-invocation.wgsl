// diagnosis: bias-each-invocation
// title: The bias was added once for each invocation.
// why: Every invocation began its sum with the bias, so the sum of all has it once for each of them.
// ask: If all inputs are 0, what does your workgroup add up?
// The sum starts at the bias, as in linear.
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
    var acc = bias[o];
    for (var j = me; j < dims.k; j += SIZE) {
        acc += x[j] * w[o * dims.k + j];
    }
    acc = subgroupAdd(acc);
    if (lane == 0u) {
        parts[subgroup] = acc;
    }
    workgroupBarrier();
    if (me == 0u) {
        acc = 0.0;
        for (var i = 0u; i < count; i++) {
            acc += parts[i];
        }
        out[o] = acc;
    }
}
