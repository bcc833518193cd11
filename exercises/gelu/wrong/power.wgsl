// diagnosis: negative-base
// title: pow needs a base that is not negative: for a negative one WGSL allows any result.
// why: Most devices compute pow(x, y) as exp2(y · log2(x)), and a negative number has no logarithm.
// ask: How else can you write x³?
// x to the power of three.
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    let y = x[id.x];
    let inner = 0.7978846 * (y + 0.044715 * pow(y, 3.0));
    out[id.x] = 0.5 * y * (1.0 + tanh(inner));
}
