// diagnosis: stride-b-k
// title: Your shader assumes that the rows of b are k elements long.
// why: Each matrix has its own row length. For b it is n, its number of columns; k is its number
//   of rows.
// ask: b is k × n. How many elements does one of its rows have?
// Both matrices have rows of k.
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
            let right = b[i * dims.k + min(4u * id.x + c, dims.n - 1u)];
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
