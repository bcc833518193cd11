// matmul-registers: out = a · b as in matmul; each invocation computes 4 × 4 elements
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> b: array<f32>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // m × n

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = 4u * id.y;
    let col = 4u * id.x;
    var acc: array<f32, 16>;
    for (var i = 0u; i < dims.k; i++) {
        for (var p = 0u; p < 16u; p++) {
            let r = min(row + p / 4u, dims.m - 1u);
            let c = min(col + p % 4u, dims.n - 1u);
            acc[p] += a[r * dims.k + i] * b[i * dims.n + c];
        }
    }
    for (var r = 0u; r < 4u; r++) {
        for (var c = 0u; c < 4u; c++) {
            if (row + r < dims.m && col + c < dims.n) {
                out[(row + r) * dims.n + col + c] = acc[c * 4u + r];
            }
        }
    }
}
