// goals: coalesced; no bank conflicts; few barriers
// All six steps, one after the other; a helper function has the barrier.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, 64>;

fn add(me: u32, half: u32) {
    if (me < half) { partial[me] += partial[me + half]; }
    workgroupBarrier();
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    partial[me] = x[64u * group.x + me];
    workgroupBarrier();
    add(me, 32u);
    add(me, 16u);
    add(me, 8u);
    add(me, 4u);
    add(me, 2u);
    if (me == 0u) { out[group.x] = partial[0] + partial[1]; }
}
