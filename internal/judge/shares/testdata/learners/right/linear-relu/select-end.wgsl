// linear-relu: out = max(x · w + bias, 0), for x (m × k), w (k × n) and a bias for each column
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

fn product(row: u32, col: u32) -> f32 {
    var s = 0.0;
    var p = row * dims.k;
    var q = col;
    for (var left = dims.k; left > 0u; left--) {
        s += x[p] * w[q];
        p += 1u;
        q += dims.n;
    }
    return s;
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.y < dims.m && id.x < dims.n) {
        let s = product(id.y, id.x) + bias[id.x];
        out[id.y * dims.n + id.x] = select(0.0, s, s > 0.0);
    }
}
