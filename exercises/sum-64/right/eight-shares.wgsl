// goals: no bank conflicts; few barriers
// Eight invocations with eight elements each, then a tree of three steps.
const SIZE = 8u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> share: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var mine = 0.0;
    for (var i = me; i < 64u; i += SIZE) {
        mine += x[group.x * 64u + i];
    }
    share[me] = mine;
    for (var half = SIZE >> 1u; half > 0u; half >>= 1u) {
        workgroupBarrier();
        if (me < half) {
            share[me] = share[me] + share[me + half];
        }
    }
    if (me == 0u) {
        out[group.x] = share[0];
    }
}
