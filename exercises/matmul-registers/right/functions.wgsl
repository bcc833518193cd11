// goals: each fetched number makes four products
// way: Reads outside of a matrix give 0, by functions.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>; // m × k
@group(0) @binding(2) var<storage, read> b: array<f32>; // k × n
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // m × n

fn a_at(row: u32, i: u32) -> f32 {
    if (row < dims.m) {
        return a[row * dims.k + i];
    }
    return 0.0;
}

fn b_at(i: u32, column: u32) -> f32 {
    if (column < dims.n) {
        return b[i * dims.n + column];
    }
    return 0.0;
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = 4u * id.y;
    let column = 4u * id.x;
    var sums: array<vec4<f32>, 4>;
    for (var i = 0u; i < dims.k; i++) {
        let four = vec4(b_at(i, column), b_at(i, column + 1u), b_at(i, column + 2u), b_at(i, column + 3u));
        for (var r = 0u; r < 4u; r++) {
            sums[r] += a_at(row + r, i) * four;
        }
    }
    for (var r = 0u; r < 4u; r++) {
        for (var c = 0u; c < 4u; c++) {
            if (row + r < dims.m && column + c < dims.n) {
                out[(row + r) * dims.n + column + c] = sums[r][c];
            }
        }
    }
}
