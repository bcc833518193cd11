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
    let top = id.y;
    let left = id.x * 4u;
    var sums: array<f32, 16>;
    for (var i = 0u; i < dims.k; i++) {
        for (var r = 0u; r < 4u; r++) {
            let av = a[min(top + r, dims.m - 1u) * dims.k + i];
            for (var c = 0u; c < 4u; c++) {
                sums[4u * r + c] += av * b[i * dims.n + min(left + c, dims.n - 1u)];
            }
        }
    }
    for (var e = 0u; e < 16u; e++) {
        let r = top + e / 4u;
        let c = left + e % 4u;
        if (r < dims.m && c < dims.n) { out[r * dims.n + c] = sums[e]; }
    }
}
