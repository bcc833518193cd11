// goals: none
// way: relu has a slope of 0 or 1. It multiplies the finished sum, as the chain rule says.
// The slope of relu is the sign of what it left, 0 or 1; four products at once.
struct Dims {
    m: u32,
    n: u32,
    k: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> d: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> hidden: array<f32>;
@group(0) @binding(4) var<storage, read_write> dh: array<f32>;

fn slope(kept: f32) -> f32 {
    return sign(kept);
}

@compute @workgroup_size(32, 2)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    if (row >= dims.m || col >= dims.k) {
        return;
    }
    var total = 0.0;
    var i = 0u;
    for (; i + 4u <= dims.n; i += 4u) {
        let from_d = row * dims.n + i;
        let from_w = col * dims.n + i;
        total += dot(vec4<f32>(d[from_d], d[from_d + 1u], d[from_d + 2u], d[from_d + 3u]), vec4<f32>(w[from_w], w[from_w + 1u], w[from_w + 2u], w[from_w + 3u]));
    }
    for (; i < dims.n; i++) {
        total += d[row * dims.n + i] * w[col * dims.n + i];
    }
    dh[row * dims.k + col] = total * slope(hidden[row * dims.k + col]);
}
