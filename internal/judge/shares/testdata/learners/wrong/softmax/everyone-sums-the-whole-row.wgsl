// softmax: every element of a row becomes exp(x - largest) / total, in place; one workgroup takes one row
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> maxima: array<f32, SIZE>;
var<workgroup> sums: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let start = group.x * dims.cols;

    maxima[me] = -3.4028234e38;
    for (var c = me; c < dims.cols; c += SIZE) {
        maxima[me] = max(maxima[me], data[start + c]);
    }
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            maxima[me] = max(maxima[me], maxima[me + half]);
        }
        workgroupBarrier();
    }

    sums[me] = 0.0;
    for (var c = 0u; c < dims.cols; c += 1u) {
        sums[me] += exp(data[start + c] - maxima[0]);
    }
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            sums[me] += sums[me + half];
        }
        workgroupBarrier();
    }

    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c] - maxima[0]) / sums[0];
    }
}
