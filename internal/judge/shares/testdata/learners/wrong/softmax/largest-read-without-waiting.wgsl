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
    let first = group.x * dims.cols;

    partial[me] = -3.4028234e38;
    for (var i = me; i < dims.cols; i += SIZE) {
        partial[me] = max(partial[me], data[first + i]);
    }
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] = max(partial[me], partial[me + half]);
        }
    }
    let largest = partial[0];
    workgroupBarrier();

    partial[me] = 0.0;
    for (var i = me; i < dims.cols; i += SIZE) {
        partial[me] += exp(data[first + i] - largest);
    }
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    workgroupBarrier();
    let total = partial[0];
    for (var i = me; i < dims.cols; i += SIZE) {
        data[first + i] = exp(data[first + i] - largest) / total;
    }
}
