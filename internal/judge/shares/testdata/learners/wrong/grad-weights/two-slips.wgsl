// grad-weights: dw = xᵀ · d, for x (m × k) and d (m × n); a sample in each of the m rows
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> d: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.n || id.y >= dims.k) { return; }
    var g = 0.0;
    for (var s = 0u; s + 1u < dims.m; s++) {
        g += x[s * dims.k + id.y] * d[s * dims.n + id.x];
    }
    dw[id.y * dims.n + id.x] = g / f32(dims.m);
}
