// goals: writes each result once
// way: A function of its own finds the distance of two rows.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<i32>;
@group(0) @binding(2) var<storage, read> examples: array<i32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

fn distance(row: u32, e: u32) -> i32 {
    var sum = 0;
    for (var i = 0u; i < dims.k; i++) {
        let off = x[row * dims.k + i] - examples[e * dims.k + i];
        sum += off * off;
    }
    return sum;
}

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    if (id.x >= dims.m) {
        return;
    }
    var nearest = 0u;
    var best = distance(id.x, 0u);
    for (var e = 1u; e < dims.n; e++) {
        let other = distance(id.x, e);
        if (other < best) {
            best = other;
            nearest = e;
        }
    }
    out[id.x] = nearest;
}
