const SIZE = 128u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> best: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let start = group.x * dims.cols;
    // a piece of the row in one go, not in strides
    let piece = (dims.cols + SIZE - 1u) / SIZE;
    let end = min((me + 1u) * piece, dims.cols);
    var mine = x[start];
    for (var c = me * piece; c < end; c += 1u) {
        mine = max(mine, x[start + c]);
    }
    best[me] = mine;
    workgroupBarrier();
    for (var gap = 1u; gap < SIZE; gap *= 2u) {
        if (me % (2u * gap) == 0u) {
            best[me] = max(best[me], best[me + gap]);
        }
        workgroupBarrier();
    }
    if (me == SIZE - 1u) {
        out[group.x] = best[0];
    }
}
