// goals: writes each result once
// It selects instead of branching.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<i32>;
@group(0) @binding(2) var<storage, read> examples: array<i32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(128)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let row = id.x;
    if (row < dims.m) {
        var best = vec2(0x7fffffff, 0);
        for (var e = 0u; e < dims.n; e++) {
            var distance = 0;
            for (var i = 0u; i < dims.k; i++) {
                let off = x[row * dims.k + i] - examples[e * dims.k + i];
                distance += off * off;
            }
            best = select(best, vec2(distance, i32(e)), distance < best.x);
        }
        out[row] = u32(best.y);
    }
}
