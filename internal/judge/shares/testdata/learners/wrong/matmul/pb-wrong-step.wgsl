// matmul: out = a · b, for a (m × k) and b (k × n), all of them row by row in memory
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.n) { return; }
    if (id.y >= dims.m) { return; }
    var ia = id.y * dims.k;
    var ib = id.x;
    var dot_product = 0.0;
    for (var left = dims.k; left > 0u; left -= 1u) {
        dot_product += a[ia] * b[ib];
        ia++;
        ib++;
    }
    out[id.y * dims.n + id.x] = dot_product;
}
