// goals: coalesced; no bank conflicts
// First the largest value with a tree, then the lowest column that has it with atomicMin.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

var<workgroup> top: array<f32, SIZE>;
var<workgroup> lowest: atomic<u32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let start = group.x * dims.cols;
    var mine = x[start];
    for (var c = me; c < dims.cols; c += SIZE) {
        mine = max(mine, x[start + c]);
    }
    top[me] = mine;
    if (me == 0u) {
        atomicStore(&lowest, dims.cols);
    }
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            top[me] = max(top[me], top[me + half]);
        }
    }
    workgroupBarrier();
    for (var c = me; c < dims.cols; c += SIZE) {
        if (x[start + c] == top[0]) {
            atomicMin(&lowest, c);
        }
    }
    workgroupBarrier();
    if (me == 0u) {
        out[group.x] = atomicLoad(&lowest);
    }
}
