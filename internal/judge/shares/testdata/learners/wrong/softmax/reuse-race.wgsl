// softmax: every element of a row becomes exp(x - largest) / total, in place; one workgroup takes one row
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> box: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let row = group.x * dims.cols;
    var top = -3.4028234e38;
    for (var c = me; c < dims.cols; c += SIZE) { top = max(top, data[row + c]); }
    box[me] = top;
    workgroupBarrier();
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        if (me < h) { box[me] = max(box[me], box[me + h]); }
        workgroupBarrier();
    }
    let largest = box[0];
    var sum = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) { sum += exp(data[row + c] - largest); }
    box[me] = sum;
    workgroupBarrier();
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        if (me < h) { box[me] += box[me + h]; }
        workgroupBarrier();
    }
    for (var c = me; c < dims.cols; c += SIZE) {
        data[row + c] = exp(data[row + c] - largest) / box[0];
    }
}
