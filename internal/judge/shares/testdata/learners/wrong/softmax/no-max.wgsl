// softmax: every element of a row becomes exp(x - largest) / total, in place; one workgroup takes one row
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> acc: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let start = group.x * dims.cols;
    var part = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        part += exp(data[start + c]);
    }
    acc[me] = part;
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (me < h) { acc[me] += acc[me + h]; }
    }
    workgroupBarrier();
    let total = acc[0];
    for (var c = me; c < dims.cols; c += SIZE) {
        data[start + c] = exp(data[start + c]) / total;
    }
}
