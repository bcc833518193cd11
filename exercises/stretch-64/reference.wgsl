// stretch-64: in place, the numbers of each block of 64 are moved and scaled to 0 to 1.
//
// One workgroup works on one block, and each invocation keeps its own number. A tree
// finds the lowest, and all read it. After a barrier the same memory serves a second
// tree, which finds the highest. Then each invocation writes its own result.

const SIZE = 64u; // a power of two

@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let mine = data[group.x * SIZE + me];
    partial[me] = mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] = min(partial[me], partial[me + half]);
        }
    }
    workgroupBarrier();
    let lowest = partial[0];
    workgroupBarrier(); // all have read it: partial is free again
    partial[me] = mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] = max(partial[me], partial[me + half]);
        }
    }
    workgroupBarrier();
    let highest = partial[0];
    data[group.x * SIZE + me] = (mine - lowest) / (highest - lowest);
}
