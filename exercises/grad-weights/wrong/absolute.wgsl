// diagnosis: abs
// title: Negative gradients lost their sign.
// why: The sign is what tells a weight in which direction to go.
// ask: What should happen to a weight whose gradient is negative?
// Only the size of an influence matters.
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
        total += x[s * dims.k + row] * d[s * dims.n + col];
    }
    dw[row * dims.n + col] = abs(total);
}
