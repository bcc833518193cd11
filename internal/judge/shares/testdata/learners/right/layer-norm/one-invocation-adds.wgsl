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

var<workgroup> stats: vec2<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let base = group.x * dims.cols;
    let n = f32(dims.cols);
    if (local.x == 0u) {
        let first = x[base];
        var s = 0.0;
        for (var c = 1u; c < dims.cols; c++) { s += x[base + c] - first; }
        let mean = first + s / n;
        var q = 0.0;
        for (var c = 0u; c < dims.cols; c++) { q += (x[base + c] - mean) * (x[base + c] - mean); }
        stats = vec2(mean, inverseSqrt(q / n + 0.00001));
    }
    workgroupBarrier();
    for (var c = local.x; c < dims.cols; c += SIZE) {
        out[base + c] = fma((x[base + c] - stats.x) * stats.y, gain[c], bias[c]);
    }
}
