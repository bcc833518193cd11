// goals: coalesced; idle together; few barriers
// way: The working invocations are the first ones, but their sums are further apart at each step: they meet in banks.
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var sum = 0.0;
    for (var i = me; i < BLOCK; i += SIZE) {
        sum += x[group.x * BLOCK + i];
    }
    partial[me] = sum;
    workgroupBarrier();
    for (var step = 1u; step < SIZE; step *= 2u) {
        let at = me * 2u * step;
        if (at < SIZE) {
            partial[at] += partial[at + step];
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
