// gelu: out = 0.5 · x · (1 + tanh(0.7978846 · (x + 0.044715 · x³))), element by element
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let k = id.x;
    if (k < params.n) {
        let v = x[k];
        let cube = v * v * v;
        let arg = 0.7978846 * v + 0.044715 * cube;
        out[k] = 0.5 * v * (1.0 + tanh(clamp(arg, -10.0, 10.0)));
    }
}
