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
    let r = id.y;
    let c = id.x;
    if (c < dims.n && r < dims.m) {
        var acc = 0.0;
        var ia = r * dims.k;
        var ib = c;
        for (var step = 0u; step < dims.n; step++) {
            acc = fma(a[ia], b[ib], acc);
            ia += 1u;
            ib += dims.n;
        }
        out[r * dims.n + c] = acc;
    }
}
