// gelu: out = 0.5 · x · (1 + tanh(0.7978846 · (x + 0.044715 · x³))), element by element
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < params.n) {
        let e = x[id.x];
        let inner = e + 0.044715 * e * e;
        let t = tanh(clamp(inner * 0.7978846, -10.0, 10.0));
        out[id.x] = 0.5 * e * (1.0 + t);
    }
}
