// row-max: out[row] is the largest element of that row of x; one workgroup takes one row
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

const FLT_MIN = 1.17549435e-38;

var<workgroup> best: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    best[me] = FLT_MIN; // smaller than anything
    for (var c = me; c < dims.cols; c += SIZE) {
        best[me] = max(best[me], x[group.x * dims.cols + c]);
    }
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            best[me] = max(best[me], best[me + half]);
        }
    }
    if (me == 0u) {
        out[group.x] = best[0];
    }
}
