// goals: coalesced; no bank conflicts; few barriers
// Neighbours first: strides of 1, 2, 4 and so on; a helper function with the barrier in it.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> candidates: array<f32, 128>;

fn larger(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}

fn merge(me: u32, stride: u32) {
    workgroupBarrier();
    if (me % (2u * stride) == 0u) {
        candidates[me] = larger(candidates[me], candidates[me + stride]);
    }
}

@compute @workgroup_size(128, 1, 1)
fn main(@builtin(local_invocation_id) lid: vec3u, @builtin(workgroup_id) wid: vec3u) {
    let begin = wid.x * dims.cols;
    var mine = x[begin];
    for (var c = lid.x; c < dims.cols; c += 128u) {
        mine = larger(mine, x[begin + c]);
    }
    candidates[lid.x] = mine;
    for (var stride = 1u; stride < 128u; stride *= 2u) {
        merge(lid.x, stride);
    }
    if (lid.x == 0u) {
        out[wid.x] = candidates[0];
    }
}
