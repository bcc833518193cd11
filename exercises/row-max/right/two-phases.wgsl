// goals: coalesced; no bank conflicts; few barriers
// way: No tree: invocation 0 looks through the 32 candidates alone. One barrier is enough, and the
//   others wait longer.
// Each takes its share, then invocation 0 looks at all shares.
const SIZE = 32u;
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
    if (me == 0u) {
        for (var i = 1u; i < SIZE; i++) {
            best = max(best, shared_max[i]);
        }
        out[row] = best;
    }
}
