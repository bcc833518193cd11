// diagnosis: swapped-guard
// title: Your guard and the code after it disagree about which id is the row.
// why: The host covers the n columns with x and the k rows with y. In a tall or wide matrix your
//   guard holds back invocations that have work to do.
// ask: With 1 input and 65 outputs, does the invocation of the last output get past your guard?
// x belongs to k, the first of the sizes, and y to n.
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
    if (id.x >= dims.k || id.y >= dims.n) {
        return;
    }
    var total = 0.0;
    for (var s = 0u; s < dims.m; s++) {
        total += x[s * dims.k + row] * d[s * dims.n + col];
    }
    dw[row * dims.n + col] = total;
}
