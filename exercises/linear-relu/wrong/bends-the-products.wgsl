// diagnosis: relu-per-product
// title: Each product went through max before it went into the sum.
// why: A negative product still counts: it makes the sum smaller. Only the finished
//   sum goes through max.
// ask: What is the sum of 5 and -3? And what does your shader add up?
// Each product gets its max.
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
    if (row >= dims.m || col >= dims.n) {
        return;
    }
    var sum = bias[col];
    for (var i = 0u; i < dims.k; i++) {
        sum += max(x[row * dims.k + i] * w[i * dims.n + col], 0.0);
    }
    out[row * dims.n + col] = max(sum, 0.0);
}
