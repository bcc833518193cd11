// diagnosis: starts-too-low
// title: Rows that are far from all examples come out as 0.
// why: The best distance so far starts at a number that you took for large enough.
//   If all distances are larger, nothing ever replaces it.
// ask: Which distance can the best so far start with so that it always comes from an example?
// 100 is far.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<i32>;
@group(0) @binding(2) var<storage, read> examples: array<i32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let row = id.x;
    if (row >= dims.m) {
        return;
    }
    var best = 100;
    var nearest = 0u;
    for (var e = 0u; e < dims.n; e++) {
        var distance = 0;
        for (var i = 0u; i < dims.k; i++) {
            let off = x[row * dims.k + i] - examples[e * dims.k + i];
            distance += off * off;
        }
        if (distance < best) {
            best = distance;
            nearest = e;
        }
    }
    out[row] = nearest;
}
