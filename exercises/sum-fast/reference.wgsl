// sum-fast: out[b] is the sum of block b of x, 1,024 elements each.
//
// In sum-64 each invocation fetches one number, and after the first step half of
// them are idle. Here each of 128 invocations first adds up 8 numbers by itself: all
// work, and nobody waits. Only then 128 sums are left for the tree.
//
// In each round, neighbours fetch neighbouring numbers. In the tree, the invocations
// that work are the first ones: whole groups of 32 neighbours become idle together.

const SIZE = 128u; // invocations, a power of two
const BLOCK = 1024u; // elements

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
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier(); // the step before is complete
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
