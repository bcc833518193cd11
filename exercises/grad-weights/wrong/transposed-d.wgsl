// diagnosis: transposed-the-wrong-one
// title: Both matrices were read along their rows.
// why: This transposes d instead of x, and mixes different samples in one product.
// ask: In each product, x and d have to come from the same sample. Which part of each index says the
//   sample?
// Both matrices trade places, so d is transposed.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> d: array<f32>;
@group(0) @binding(3) var<storage, read_write> dw: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.k || col >= dims.n) {
        return;
    }
    var total = 0.0;
    for (var s = 0u; s < dims.m; s++) {
        total += x[row * dims.k + s] * d[col * dims.n + s];
    }
    dw[row * dims.n + col] = total;
}
