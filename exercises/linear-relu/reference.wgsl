// linear-relu: out = max(x * w + bias, 0), for x (m × k), w (k × n) and a bias for
// each of the n columns.
//
// This is linear followed by relu, in one pass. The sum is still in a variable of the
// invocation when max cuts it off at 0, so it goes to memory once and never comes back.

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
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    let column = id.x;
    let row = id.y;
    if (column >= dims.n || row >= dims.m) {
        return;
    }
    var total = bias[column];
    for (var i = 0u; i < dims.k; i++) {
        total += x[row * dims.k + i] * w[i * dims.n + column];
    }
    out[row * dims.n + column] = max(total, 0.0);
}
