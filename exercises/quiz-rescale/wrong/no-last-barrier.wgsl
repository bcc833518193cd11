// diagnosis: missing-barrier
// After the loop, the tree is finished.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

var<workgroup> largest: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let start = group.x * dims.cols;
    let me = local.x;
    var best = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        best = max(best, abs(data[start + c]));
    }
    largest[me] = best;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            largest[me] = max(largest[me], largest[me + half]);
        }
    }
    if (largest[0] > 0.0) {
        for (var c = me; c < dims.cols; c += SIZE) {
            data[start + c] /= largest[0];
        }
    }
}
