// goals: each fetched number makes four products
// way: Sixteen sums in an array, with loops over the rows and columns of the block.
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
    var sums: array<f32, 16>;
    for (var i = 0u; i < dims.k; i++) {
        var left: array<f32, 4>;
        for (var r = 0u; r < 4u; r++) {
            left[r] = a[min(4u * id.y + r, dims.m - 1u) * dims.k + i];
        }
        for (var c = 0u; c < 4u; c++) {
            let right = b[i * dims.n + min(4u * id.x + c, dims.n - 1u)];
            for (var r = 0u; r < 4u; r++) {
                sums[r * 4u + c] += left[r] * right;
            }
        }
    }
    for (var r = 0u; r < 4u; r++) {
        for (var c = 0u; c < 4u; c++) {
            let row = 4u * id.y + r;
            let column = 4u * id.x + c;
            if (row < dims.m && column < dims.n) {
                out[row * dims.n + column] = sums[r * 4u + c];
            }
        }
    }
}
