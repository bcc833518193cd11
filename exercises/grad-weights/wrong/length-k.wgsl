// diagnosis: length-k
// title: Each sum runs over k terms instead of m.
// why: In xᵀ · d the two matrices share the samples, and there are m of them. k is the number of
//   inputs, the rows of dw.
// ask: Which size do x and d have in common?
// The inner length of a product is k.
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
    for (var s = 0u; s < dims.k; s++) {
        total += x[s * dims.k + row] * d[s * dims.n + col];
    }
    dw[row * dims.n + col] = total;
}
