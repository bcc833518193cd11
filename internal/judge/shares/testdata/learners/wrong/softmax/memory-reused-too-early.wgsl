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
    let row = group.x * dims.cols;

    // 1. the largest
    var m = -3.4028234e38;
    for (var c = me; c < dims.cols; c += SIZE) {
        m = max(m, data[row + c]);
    }
    partial[me] = m;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] = max(partial[me], partial[me + half]);
        }
        workgroupBarrier();
    }
    let largest = partial[0];
    // 2. the total
    var s = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        s += exp(data[row + c] - largest);
    }
    partial[me] = s;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] += partial[me + half];
        }
        workgroupBarrier();
    }
    let total = partial[0];
    // 3. divide
    for (var c = me; c < dims.cols; c += SIZE) {
        data[row + c] = exp(data[row + c] - largest) / total;
    }
}
