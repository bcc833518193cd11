// goals: no bank conflicts; few barriers
// Any workgroup size: the odd one out stays for the next step.
const SIZE = 48u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> best: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    var mine = -0x1.fffffep+127f;
    var c = me;
    while (c < dims.cols) {
        mine = max(mine, x[group.x * dims.cols + c]);
        c += SIZE;
    }
    best[me] = mine;
    var left = SIZE;
    while (left > 1u) {
        let half = (left + 1u) / 2u;
        workgroupBarrier();
        if (me + half < left) {
            best[me] = max(best[me], best[me + half]);
        }
        left = half;
    }
    if (me == 0u) {
        out[group.x] = best[0];
    }
}
