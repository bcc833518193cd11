// diagnosis: not-transposed
// title: x was read along its rows, as in matmul.
// why: A row of x is one sample with all of its inputs. A weight belongs to one input, in all
//   samples: that is a column of x.
// ask: Which of row and s is a sample here, and which an input?
// A row of x times a column of d, as in matmul.
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
        total += x[row * dims.k + s] * d[s * dims.n + col];
    }
    dw[row * dims.n + col] = total;
}
