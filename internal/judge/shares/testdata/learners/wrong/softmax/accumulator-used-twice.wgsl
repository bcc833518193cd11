// softmax: every element of a row becomes exp(x - largest) / total, in place; one workgroup takes one row
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> shelf: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let base = group.x * dims.cols;
    var acc = -3.4028234e38;
    for (var c = me; c < dims.cols; c += SIZE) {
        acc = max(acc, data[base + c]);
    }
    shelf[me] = acc;
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (me < h) { shelf[me] = max(shelf[me], shelf[me + h]); }
    }
    workgroupBarrier();
    let largest = shelf[0];
    workgroupBarrier();
    for (var c = me; c < dims.cols; c += SIZE) {
        acc += exp(data[base + c] - largest);
    }
    shelf[me] = acc;
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (me < h) { shelf[me] += shelf[me + h]; }
    }
    workgroupBarrier();
    let total = shelf[0];
    for (var c = me; c < dims.cols; c += SIZE) {
        data[base + c] = exp(data[base + c] - largest) / total;
    }
}
