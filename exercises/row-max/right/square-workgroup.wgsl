// goals: coalesced; no bank conflicts; few barriers
// A workgroup of 8 × 8, and an unrolled tree.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

var<workgroup> m: array<f32, 64>;

@compute @workgroup_size(8, 8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    var best = x[group.x * dims.cols + min(i, dims.cols - 1u)];
    for (var c = i + 64u; c < dims.cols; c += 64u) {
        best = max(best, x[group.x * dims.cols + c]);
    }
    m[i] = best;
    workgroupBarrier();
    if (i < 32u) { m[i] = max(m[i], m[i + 32u]); }
    workgroupBarrier();
    if (i < 16u) { m[i] = max(m[i], m[i + 16u]); }
    workgroupBarrier();
    if (i < 8u) { m[i] = max(m[i], m[i + 8u]); }
    workgroupBarrier();
    if (i < 4u) { m[i] = max(m[i], m[i + 4u]); }
    workgroupBarrier();
    if (i < 2u) { m[i] = max(m[i], m[i + 2u]); }
    workgroupBarrier();
    if (i < 1u) { out[group.x] = max(m[0], m[1]); }
}
