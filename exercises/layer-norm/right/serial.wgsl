// goals: no bank conflicts; few barriers
// way: Each invocation finds the mean and the variance by itself, and writes its share.
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

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let start = group.x * dims.cols;
    let n = f32(dims.cols);
    var mean = 0.0;
    for (var c = 0u; c < dims.cols; c++) {
        mean += x[start + c];
    }
    mean /= n;
    var variance = 0.0;
    for (var c = 0u; c < dims.cols; c++) {
        variance += (x[start + c] - mean) * (x[start + c] - mean);
    }
    variance /= n;
    for (var c = me; c < dims.cols; c += SIZE) {
        out[start + c] = (x[start + c] - mean) * inverseSqrt(variance + 1e-5) * gain[c] + bias[c];
    }
}
