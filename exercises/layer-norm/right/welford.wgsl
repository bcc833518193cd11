// goals: no bank conflicts; few barriers
// way: Mean and squared differences in one walk, corrected at each element, as Welford does it.
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
    var mean = 0.0;
    var squares = 0.0;
    for (var c = 0u; c < dims.cols; c++) {
        let off = x[start + c] - mean;
        mean += off / f32(c + 1u);
        squares += off * (x[start + c] - mean);
    }
    let scale = inverseSqrt(squares / f32(dims.cols) + 1e-5);
    for (var c = me; c < dims.cols; c += SIZE) {
        out[start + c] = fma((x[start + c] - mean) * scale, gain[c], bias[c]);
    }
}
