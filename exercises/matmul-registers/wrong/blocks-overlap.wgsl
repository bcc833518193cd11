// diagnosis: blocks-overlap
// title: Your blocks begin one element after another, so they overlap.
// why: A block has 4 rows and 4 columns. The next one begins where it ends.
// ask: At which column of out does the block of the invocation at id.x = 3 begin?
// Blocks begin at id.
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
            left[r] = a[min(id.y + r, dims.m - 1u) * dims.k + i];
        }
        for (var c = 0u; c < 4u; c++) {
            let right = b[i * dims.n + min(id.x + c, dims.n - 1u)];
            for (var r = 0u; r < 4u; r++) {
                sums[r * 4u + c] += left[r] * right;
            }
        }
    }
    for (var r = 0u; r < 4u; r++) {
        for (var c = 0u; c < 4u; c++) {
            let row = id.y + r;
            let column = id.x + c;
            if (row < dims.m && column < dims.n) {
                out[row * dims.n + column] = sums[r * 4u + c];
            }
        }
    }
}
