// diagnosis: signed-differences
// title: Differences of opposite sign cancelled.
// why: The differences were added with their signs. A row that is too large
//   in one place and too small in another then counts as near.
// ask: For the differences 5 and -5, what should the distance be?
// The distance is what is left over.
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
    var best = 0x7fffffff;
    var nearest = 0u;
    for (var e = 0u; e < dims.n; e++) {
        var distance = 0;
        for (var i = 0u; i < dims.k; i++) {
            let off = x[row * dims.k + i] - examples[e * dims.k + i];
            distance += off;
        }
        if (distance < best) {
            best = distance;
            nearest = e;
        }
    }
    out[row] = nearest;
}
