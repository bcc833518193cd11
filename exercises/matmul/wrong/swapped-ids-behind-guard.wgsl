// diagnosis: swapped-guard
// title: Your guard and the code after it disagree about which id is the row.
// why: The host covers the n columns with x and the m rows with y. Your guard and the code after it
//   disagree about that, so in a tall or wide matrix the guard holds back invocations that have
//   work to do.
// ask: For a matrix with 1 row and 65 columns, what are m and n? Does the invocation for the last
//   column get past your guard?
// The guard was copied from the lesson; the rest says row for x.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.n || id.y >= dims.m) {
        return;
    }
    let row = id.x;
    let col = id.y;
    var sum = 0.0;
    for (var i = 0u; i < dims.k; i++) {
        sum += a[row * dims.k + i] * b[i * dims.n + col];
    }
    out[row * dims.n + col] = sum;
}
