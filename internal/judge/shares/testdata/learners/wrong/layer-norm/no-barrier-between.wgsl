// layer-norm: each row gets mean 0 and variance 1, then the gain and the bias of each column;
// one workgroup takes one row
const SIZE = 32u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // rows × cols
@group(0) @binding(2) var<storage, read> gain: array<f32>; // one for each column
@group(0) @binding(3) var<storage, read> bias: array<f32>; // one for each column
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // rows × cols

var<workgroup> sums: array<f32, SIZE>;
fn total(me: u32) -> f32 {
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (me < h) { sums[me] += sums[me + h]; }
    }
    workgroupBarrier();
    return sums[0];
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let start = group.x * dims.cols;
    let n = f32(dims.cols);
    var s = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) { s += x[start + c]; }
    sums[me] = s;
    let mean = total(me) / n;
    var sq = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        let diff = x[start + c] - mean;
        sq += diff * diff;
    }
    sums[me] = sq;
    let root = sqrt(total(me) / n + 0.00001);
    for (var c = me; c < dims.cols; c += SIZE) {
        out[start + c] = (x[start + c] - mean) / root * gain[c] + bias[c];
    }
}
