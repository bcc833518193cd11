// row-max: out[row] is the largest element of that row of x; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> w: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let row = group.x;
    var v = -3.4028234e38;
    for (var c = 0u; c < dims.cols; c++) { v = max(v, x[row * dims.cols + c]); }
    w[me] = v;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me <= half) {
            w[me] = max(w[me], w[me + half]);
        }
        workgroupBarrier();
    }
    if (me == 0u) { out[row] = w[0]; }
}
