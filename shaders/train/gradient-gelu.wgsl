// train/gradient-gelu: how the loss changes with each input of gelu.
//
// d says how the loss changes with each output. The chain rule multiplies it by the slope
// of gelu at its input x, in place. gelu is x · s, where s is 1 / (1 + exp(-2u)) and u is
// 0.7978846 · (x + 0.044715 · x³).

struct Params {
    n: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    let value = x[i];
    let u = 0.7978846 * (value + 0.044715 * value * value * value);
    let share = 1.0 / (1.0 + exp(min(-2.0 * u, 80.0)));
    let slope = 0.7978846 * (1.0 + 0.134145 * value * value); // of u
    d[i] *= share + 2.0 * value * share * (1.0 - share) * slope;
}
