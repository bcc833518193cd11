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

var<workgroup> a: array<f32, SIZE>;
var<workgroup> b: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
    let n = dims.cols;
    a[me] = 0.0;
    for (var c = me; c < n; c += SIZE) { a[me] += x[row * n + c]; }
    workgroupBarrier();
    for (var h = 16u; h > 0u; h /= 2u) {
        if (me < h) { a[me] += a[me + h]; }
        workgroupBarrier();
    }
    let mean = a[0] / f32(n);
    b[me] = 0.0;
    for (var c = me; c < n; c += SIZE) { b[me] += (x[row * n + c] - mean) * (x[row * n + c] - mean); }
    workgroupBarrier();
    for (var h = 16u; h > 0u; h /= 2u) {
        if (me < h) { b[me] += b[me + h]; }
        workgroupBarrier();
    }
    let scale = inverseSqrt(b[0] / f32(n) + 0.00001);
    for (var c = me; c < n; c += SIZE) {
        out[row * n + c] = (x[row * n + c] - mean) * scale * gain[row] + bias[c];
    }
}
