// sum-64: out[b] is the sum of block b of x, 64 elements each.
//
// One workgroup works on one block. Each invocation puts one element into workgroup
// memory. Then half of the invocations add the other half's numbers to their own,
// then a quarter of them, and so on. After six steps, element 0 holds the sum.

const SIZE = 64u; // a power of two

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    partial[me] = x[group.x * SIZE + me];
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
