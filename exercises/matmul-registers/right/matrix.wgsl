// goals: each fetched number makes four products
// way: A mat4x4 holds the block: each step adds an outer product, column by column.
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
    let rows = min(4u * id.y + vec4(0u, 1u, 2u, 3u), vec4(dims.m - 1u)) * dims.k;
    let columns = min(4u * id.x + vec4(0u, 1u, 2u, 3u), vec4(dims.n - 1u));
    var block = mat4x4<f32>();
    for (var i = 0u; i < dims.k; i++) {
        let left = vec4(a[rows.x + i], a[rows.y + i], a[rows.z + i], a[rows.w + i]);
        let at = i * dims.n + columns;
        block += mat4x4(left * b[at.x], left * b[at.y], left * b[at.z], left * b[at.w]);
    }
    for (var c = 0u; c < 4u; c++) {
        for (var r = 0u; r < 4u; r++) {
            if (4u * id.y + r < dims.m && 4u * id.x + c < dims.n) {
                out[(4u * id.y + r) * dims.n + 4u * id.x + c] = block[c][r];
            }
        }
    }
}
