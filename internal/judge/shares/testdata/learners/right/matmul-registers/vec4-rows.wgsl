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

fn row_of_b(i: u32, c: u32) -> vec4<f32> {
    let last = dims.n - 1u;
    let base = i * dims.n;
    return vec4(b[base + min(c, last)], b[base + min(c + 1u, last)],
                b[base + min(c + 2u, last)], b[base + min(c + 3u, last)]);
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = 4u * id.y;
    let col = 4u * id.x;
    var block = mat4x4<f32>();
    for (var i = 0u; i < dims.k; i++) {
        let bv = row_of_b(i, col);
        for (var r = 0u; r < 4u; r++) {
            block[r] += a[min(row + r, dims.m - 1u) * dims.k + i] * bv;
        }
    }
    for (var r = 0u; r < 4u; r++) {
        if (row + r >= dims.m) { break; }
        for (var c = 0u; c < min(4u, max(dims.n, col) - col); c++) {
            out[(row + r) * dims.n + col + c] = block[r][c];
        }
    }
}
