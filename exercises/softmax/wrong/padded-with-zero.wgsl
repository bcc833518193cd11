// diagnosis: padded-with-zero
// title: Short rows of large negative elements come out as NaN.
// why: If a row is shorter than the workgroup, some invocations have no element. Workgroup memory
//   starts out as 0, so their entries hold 0 in the search for the largest.
// ask: What should an invocation without an element put into its entry?
// An invocation without an element leaves its place empty.
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
    if (me < dims.cols) {
        partial[me] = mine;
    }
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
            partial[me] = partial[me] + partial[me + half];
        }
        workgroupBarrier();
    }
    let total = partial[0];
    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c] - largest) / total;
    }
}
