// The bug is in this line: partial[me] = mine;
//
// An invocation that was ahead replaced the largest element by its part of the sum, while others
// still had to read it. Now all have read it before anyone writes.
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
    let start = row * dims.cols;
    if (row >= dims.rows) {
        return;
    }
    var mine = -3.4e38;
    for (var c = me; c < dims.cols; c += SIZE) {
        mine = max(mine, data[start + c]);
    }
    partial[me] = mine;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] = max(partial[me], partial[me + half]);
        }
        workgroupBarrier();
    }
    let largest = partial[0];
    workgroupBarrier(); // all have read it: partial is free again
    mine = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        mine += exp(data[start + c] - largest);
    }
    partial[me] = mine;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] = partial[me] + partial[me + half];
        }
        workgroupBarrier();
    }
    let total = partial[0];
    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c] - largest) / total;
    }
}
