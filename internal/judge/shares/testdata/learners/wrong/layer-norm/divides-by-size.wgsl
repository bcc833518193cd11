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

var<workgroup> part: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let first = group.x * dims.cols;
    let last = first + dims.cols;
    var s = 0.0;
    for (var p = first + me; p < last; p += SIZE) { s += x[p]; }
    part[me] = s;
    workgroupBarrier();
    for (var h = SIZE / 2u; h >= 1u; h >>= 1u) {
        if (me < h) { part[me] += part[me + h]; }
        workgroupBarrier();
    }
    let mean = part[0] / f32(SIZE);
    workgroupBarrier();
    var q = 0.0;
    for (var p = first + me; p < last; p += SIZE) { q += pow(abs(x[p] - mean), 2.0); }
    part[me] = q;
    workgroupBarrier();
    for (var h = SIZE / 2u; h >= 1u; h >>= 1u) {
        if (me < h) { part[me] += part[me + h]; }
        workgroupBarrier();
    }
    let variance = part[0] / f32(dims.cols);
    for (var c = me; c < dims.cols; c += SIZE) {
        out[first + c] = gain[c] * (x[first + c] - mean) / sqrt(variance + 0.00001) + bias[c];
    }
}
