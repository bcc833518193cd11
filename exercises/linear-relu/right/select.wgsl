// goals: none
// A guarded if, fma, and select for relu.
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

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < dims.n && id.y < dims.m) {
        var acc = 0f;
        var i = dims.k;
        while (i > 0u) {
            i--;
            acc = fma(x[id.y * dims.k + i], w[i * dims.n + id.x], acc);
        }
        let value = acc + bias[id.x];
        out[id.y * dims.n + id.x] = select(value, 0.0, value < 0.0);
    }
}
