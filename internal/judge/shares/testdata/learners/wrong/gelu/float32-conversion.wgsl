// gelu: out = 0.5 · x · (1 + tanh(0.7978846 · (x + 0.044715 · x³))), element by element
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) { return; }
    let v = float32(x[i]);
    let u = 0.7978846 * (v + 0.044715 * v * v * v);
    out[i] = 0.5 * v * (1.0 + tanh(clamp(u, -10.0, 10.0)));
}
