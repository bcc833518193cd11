// diagnosis: swapped-guard
// title: Your guard and the code after it disagree about which id is the row.
// why: The host covers the n columns with x and the m rows with y. Your guard and the code after it
//   disagree about that, so in a tall or wide matrix the guard holds back invocations that have
//   work to do.
// ask: For a matrix with 1 row and 65 columns, what are m and n? Does the invocation for the last
//   column get past your guard?
// x belongs to m, the first of the sizes, and y to n.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (id.x >= dims.m || id.y >= dims.n) {
        return;
    }
    var sum = bias[col];
    for (var i = 0u; i < dims.k; i++) {
        sum += x[row * dims.k + i] * w[i * dims.n + col];
    }
    out[row * dims.n + col] = sum;
}
