// goals: none
// dw itself holds the sum so far, and starts at 0; samples from the last to the first.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> d: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = id.y * dims.n + id.x;
    if (id.y >= dims.k || id.x >= dims.n) {
        return;
    }
    dw[at] = 0.0;
    var s = dims.m;
    while (s > 0u) {
        s -= 1u;
        dw[at] = dw[at] + d[s * dims.n + id.x] * x[s * dims.k + id.y];
    }
}
