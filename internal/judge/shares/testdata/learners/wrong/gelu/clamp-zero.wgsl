// gelu: out = 0.5 · x · (1 + tanh(0.7978846 · (x + 0.044715 · x³))), element by element
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

fn bend(v: f32) -> f32 {
    var a = 0.7978846 * fma(0.044715, v * v * v, v);
    a = clamp(a, 0.0, 10.0);
    return 0.5 * v * (tanh(a) + 1.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < params.n) { out[id.x] = bend(x[id.x]); }
}
