// goals: coalesced; no bank conflicts
// After one barrier, each invocation looks through all candidates itself.
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
    largest[me] = 0.0;
    for (var c = me; c < dims.cols; c += SIZE) {
        largest[me] = max(largest[me], abs(data[start + c]));
    }
    workgroupBarrier();
    var magnitude = 0.0;
    for (var i = 0u; i < SIZE; i++) {
        magnitude = max(magnitude, largest[i]);
    }
    if (magnitude > 0.0) {
        for (var c = me; c < dims.cols; c += SIZE) {
            data[start + c] /= magnitude;
        }
    }
}
