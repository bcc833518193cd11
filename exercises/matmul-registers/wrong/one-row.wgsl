// diagnosis: one-row
// title: Only the first row of each block was computed.
// why: Your invocation makes 4 columns of one row. Its block has 4 rows.
// ask: Which rows of out belong to the invocation at id.y = 2?
// Four elements each.
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
    let row = 4u * id.y;
    var sums: array<f32, 4>;
    if (row >= dims.m) {
        return;
    }
    for (var i = 0u; i < dims.k; i++) {
        for (var c = 0u; c < 4u; c++) {
            sums[c] += a[row * dims.k + i] * b[i * dims.n + min(4u * id.x + c, dims.n - 1u)];
        }
    }
    for (var c = 0u; c < 4u; c++) {
        if (4u * id.x + c < dims.n) {
            out[row * dims.n + 4u * id.x + c] = sums[c];
        }
    }
}
