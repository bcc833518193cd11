// row-max: out[row] is the largest element of that row of x; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> best_of: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
    var best: f32;
    for (var c = me; c < dims.cols; c += SIZE) {
        best = max(best, x[row * dims.cols + c]);
    }
    best_of[me] = best;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            best_of[me] = max(best_of[me], best_of[me + half]);
        }
    }
    if (me == 0u) {
        out[row] = best_of[0];
    }
}
