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

var<workgroup> w: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let o = group.x * dims.cols;
    let n = f32(dims.cols);
    var acc = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) { acc += x[o + c]; }
    w[me] = acc;
    workgroupBarrier();
    var sum = 0.0;
    for (var i = 0u; i < SIZE; i++) { sum += w[i]; }
    let mean = sum / n;
    workgroupBarrier();
    acc = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) { let e = x[o + c] - mean; acc += e * e; }
    w[me] = acc;
    workgroupBarrier();
    sum = 0.0;
    for (var i = 0u; i < SIZE; i++) { sum += w[i]; }
    let variance = sum / n;
    for (var c = me; c < dims.cols; c += SIZE) {
        let z = (x[o + c] - mean) / (variance + 0.00001);
        out[o + c] = z * gain[c];
    }
}
