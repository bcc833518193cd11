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

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let c = id.x;
    let r = id.y;
    let ok = c < dims.n && r < dims.m;
    if (ok) {
        var sum = bias[c];
        let first = r * dims.n;
        for (var i = 0u; i < dims.k; i++) {
            sum += x[first + i] * w[i * dims.n + c];
        }
        out[r * dims.n + c] = abs(sum);
    }
}
