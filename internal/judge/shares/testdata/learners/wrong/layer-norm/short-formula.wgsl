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

var<workgroup> both: array<vec2<f32>, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let base = group.x * dims.cols;
    var acc = vec2(0.0);
    for (var c = me; c < dims.cols; c += SIZE) {
        let e = x[base + c];
        acc += vec2(e, e * e);
    }
    both[me] = acc;
    for (var h = SIZE / 2u; h > 0u; h /= 2u) {
        workgroupBarrier();
        if (me < h) { both[me] += both[me + h]; }
    }
    workgroupBarrier();
    let n = f32(dims.cols);
    let mean = both[0].x / n;
    let variance = both[0].y / n - mean * mean;
    for (var c = me; c < dims.cols; c += SIZE) {
        out[base + c] = (x[base + c] - mean) / sqrt(variance + 0.00001) * gain[c] + bias[c];
    }
}
