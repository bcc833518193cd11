// diagnosis: without-subgroups
// title: The row is right, but trees in workgroup memory add it up.
// why: Every step of it goes through memory and waits at a barrier. The task is to let the
//   invocations of a subgroup pass each other their numbers directly.
// ask: Which of your steps could one function of subgroups do?
// As in the lesson before.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let start = group.x * dims.cols;
    var mine = -3.4028234e38;
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
    workgroupBarrier();
    mine = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        mine += exp(data[start + c] - largest);
    }
    partial[me] = mine;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] += partial[me + half];
        }
        workgroupBarrier();
    }
    let total = partial[0];
    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c] - largest) / total;
    }
}
