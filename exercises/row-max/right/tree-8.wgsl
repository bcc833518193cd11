// goals: no bank conflicts; few barriers
// Eight invocations, and shifts.
const SIZE = 8u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> shared_max: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.x;
    let me = local.x;
    if (row >= dims.rows) {
        return;
    }
    var best = -3.4028234e38;
    for (var c = me; c < dims.cols; c += SIZE) {
        best = max(best, x[row * dims.cols + c]);
    }
    shared_max[me] = best;
    workgroupBarrier();
    for (var half = SIZE >> 1u; half > 0u; half >>= 1u) {
        if (me < half) {
            shared_max[me] = max(shared_max[me], shared_max[me + half]);
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[row] = shared_max[0];
    }
}
