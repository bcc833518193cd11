// goals: coalesced; no bank conflicts
// A barrier ends each step, so none is needed before the division.
const SIZE = 128u;
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
    let row = group.x;
    let me = local.x;
    var best = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        best = max(best, abs(data[row * dims.cols + c]));
    }
    largest[me] = best;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            largest[me] = max(largest[me], largest[me + half]);
        }
        workgroupBarrier();
    }
    let magnitude = largest[0];
    for (var c = me; c < dims.cols && magnitude != 0.0; c += SIZE) {
        data[row * dims.cols + c] /= magnitude;
    }
}
