// goals: coalesced
// way: Two columns a step: the winner of a pair meets the best so far.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // Two columns a step; the odd one at the end is left over.
    if (id.x >= dims.rows) { return; }
    let start = id.x * dims.cols;
    var best = start;
    var i = start;
    let end = start + dims.cols;
    for (; i + 1u < end; i += 2u) {
        let winner = select(i, i + 1u, x[i + 1u] > x[i]);
        if (x[winner] > x[best]) { best = winner; }
    }
    if (i < end && x[i] > x[best]) { best = i; }
    out[id.x] = best - start;
}
