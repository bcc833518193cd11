// goals: writes each result once
// One index walks through all examples.
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
    if (id.x >= dims.m) {
        return;
    }
    var at = 0u;
    var best = 0x7fffffff;
    var nearest = 0u;
    for (var e = 0u; e < dims.n; e++) {
        var left = 0;
        for (var i = 0u; i < dims.k; i++) {
            let off = abs(examples[at] - x[id.x * dims.k + i]);
            left += off * off;
            at++;
        }
        if (best > left) {
            best = left;
            nearest = e;
        }
    }
    out[id.x] = nearest;
}
