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
    let y0 = id.y * 4u;
    let x0 = id.x * 4u;
    if (y0 >= dims.m || x0 >= dims.n) { return; }
    var s: array<array<f32, 4>, 4>;
    for (var k = 0u; k < dims.k; k++) {
        var av: array<f32, 4>;
        var bv: array<f32, 4>;
        for (var j = 0u; j < 4u; j++) {
            av[j] = a[min(y0 + j, dims.m - 1u) * dims.k + k];
            bv[j] = b[k * dims.n + min(x0 + j, dims.n - 1u)];
        }
        for (var r = 0u; r < 4u; r++) {
            for (var c = 0u; c < 4u; c++) { s[r][c] += av[r] * bv[c]; }
        }
    }
    for (var r = 0u; r < 4u; r++) {
        if (y0 + r < dims.m) {
            for (var c = 0u; c < 4u; c++) {
                out[(y0 + r) * dims.n + x0 + c] = s[r][c];
            }
        }
    }
}
