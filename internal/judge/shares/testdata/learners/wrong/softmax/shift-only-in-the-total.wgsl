// softmax: every element of a row becomes exp(x - largest) / total, in place; one workgroup takes one row
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
    let me = local.x;
    let start = group.x * dims.cols;
    let end = start + dims.cols;

    var best = -3.4028234e38;
    for (var i = start + me; i < end; i += SIZE) {
        best = max(best, data[i]);
    }
    partial[me] = best;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] = max(partial[me], partial[me + half]);
        }
    }
    workgroupBarrier();
    let largest = partial[0];
    workgroupBarrier();

    var sum = 0.0;
    for (var i = start + me; i < end; i += SIZE) {
        sum += exp(data[i] - largest);
    }
    partial[me] = sum;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    workgroupBarrier();
    let total = partial[0];

    for (var i = start + me; i < end; i += SIZE) {
        data[i] = exp(data[i]) / total;
    }
}
