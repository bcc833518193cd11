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
    let row0 = 4u * id.y;
    let col0 = 4u * id.x;
    var acc: array<vec4<f32>, 4>;
    for (var i = 0u; i < dims.k; i++) {
        let r = i * dims.n + col0;
        let bv = vec4(b[r], b[r + 1u], b[r + 2u], b[r + 3u]);
        for (var j = 0u; j < 4u; j++) {
            acc[j] += a[min(row0 + j, dims.m - 1u) * dims.k + i] * bv;
        }
    }
    for (var j = 0u; j < 4u; j++) {
        for (var c = 0u; c < 4u; c++) {
            if (row0 + j < dims.m && col0 + c < dims.n) {
                out[(row0 + j) * dims.n + col0 + c] = acc[j][c];
            }
        }
    }
}
