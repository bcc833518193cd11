// goals: coalesced
// way: A tree in workgroup memory instead of subgroupAdd. It runs on devices without subgroups, too,
//   but needs a barrier for each halving.
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

var<workgroup> parts: array<f32, SIZE>;

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
    parts[me] = sum;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            parts[me] += parts[me + half];
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[o] = bias[o] + parts[0];
    }
}
