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

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // which element of out is mine?
    let element = id.y * 8u + id.x;
    let row = element / dims.n;
    let col = element % dims.n;
    if (row < dims.m && col < dims.n) {
        var sum = 0.0;
        var i = 0u;
        while (i < dims.k) {
            sum += a[row * dims.k + i] * b[i * dims.n + col];
            i += 1u;
        }
        out[row * dims.n + col] = sum;
    }
}
