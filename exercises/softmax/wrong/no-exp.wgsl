// diagnosis: no-exp
// title: The elements were divided by their sum, without exp.
// why: x / sum of x turns negative elements into negative probabilities, and the sum can be 0.
// ask: Which function makes every number positive and keeps their order?
// Each number is divided by the sum of its row.
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
    var mine = 0.0;

    for (var c = me; c < dims.cols; c += SIZE) {
        mine += data[start + c];
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
        data[start + c] = data[start + c] / total;
    }
}
