// diagnosis: last-step-missing
// title: The tree stops one step early: half of the sums are missing.
// why: After the step with half = 2, two sums are left, at 0 and at 1.
// ask: What is left in partial when your loop ends?
// At one we are done.
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
    for (var half = SIZE / 2u; half > 1u; half /= 2u) {
        if (me < half) {
            partial[me] += partial[me + half];
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
