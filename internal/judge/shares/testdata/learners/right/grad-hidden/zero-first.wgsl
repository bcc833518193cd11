// grad-hidden: dh = d · wᵀ, and 0 where hidden is 0; d (m × n), w (k × n), hidden and dh (m × k)
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> hidden: array<f32>;
@group(0) @binding(4) var<storage, read_write> dh: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.k || id.y >= dims.m) { return; }
    let at = id.y * dims.k + id.x;
    dh[at] = 0.0;
    if (hidden[at] > 0.0) {
        for (var c = dims.n; c > 0u; c--) {
            dh[at] += d[id.y * dims.n + c - 1u] * w[id.x * dims.n + c - 1u];
        }
    }
}
