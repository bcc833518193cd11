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
    let row = id.y;
    let col = id.x;
    if (row >= dims.m || col >= dims.k) { return; }
    var sum = 0.0;
    for (var c = 0u; c < dims.n; c++) {
        sum += d[row * dims.n + c] * w[c * dims.k + col];
    }
    if (hidden[row * dims.k + col] <= 0.0) { sum = 0.0; }
    dh[row * dims.k + col] = sum;
}
