// goals: coalesced; no bank conflicts; few barriers
// Each step reads one array and writes the other, so one barrier a step is enough even without an
// if.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> sums: array<array<f32, 128>, 2>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var now = 0u;
    sums[0][me] = x[group.x * 64u + me];
    workgroupBarrier();
    for (var half = 32u; half >= 1u; half /= 2u) {
        sums[1u - now][me] = sums[now][me] + sums[now][me + half];
        now = 1u - now;
        workgroupBarrier();
    }
    if (me == 0u) {
        out[group.x] = sums[now][0];
    }
}
