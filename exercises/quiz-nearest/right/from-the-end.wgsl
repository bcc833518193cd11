// goals: none
// way: It begins with the last example, and lets an equal distance replace the best so far.
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
    var best = 0x7fffffff;
    for (var e = dims.n; e > 0u; e--) {
        var distance = 0;
        for (var i = 0u; i < dims.k; i++) {
            let a = x[id.x * dims.k + i];
            let b = examples[(e - 1u) * dims.k + i];
            distance += (a - b) * (a - b);
        }
        if (distance <= best) {
            best = distance;
            out[id.x] = e - 1u;
        }
    }
}
