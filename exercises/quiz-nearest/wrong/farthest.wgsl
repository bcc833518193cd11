// diagnosis: farthest
// title: The output names the example that is farthest away.
// why: Your comparison points the wrong way.
// ask: Read your comparison aloud. Which of the two distances replaces the other?
// The largest number wins.
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
    var best = -1;
    var nearest = 0u;
    for (var e = 0u; e < dims.n; e++) {
        var distance = 0;
        for (var i = 0u; i < dims.k; i++) {
            let off = x[row * dims.k + i] - examples[e * dims.k + i];
            distance += off * off;
        }
        if (distance > best) {
            best = distance;
            nearest = e;
        }
    }
    out[row] = nearest;
}
