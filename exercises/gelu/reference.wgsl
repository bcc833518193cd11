// gelu: out = x · Φ(x), where Φ(x) is the share of a normal distribution below x.
//
// Like relu, it lets large numbers through and nothing of very negative ones. Between
// them it is smooth, so it has a slope everywhere, from which a network can learn.
//
// Φ isn't built in. This is the formula with tanh that Hendrycks and Gimpel give for it
// in "Gaussian Error Linear Units", arXiv:1606.08415; it is off by at most 0.0005.
//
// Some devices divide two exponentials to get tanh, and large arguments give NaN there.
// Beyond 10, tanh is 1 or -1 to the last bit: the sign of its argument.

const SQRT_2_PI = 0.7978846; // √(2 / π)

struct Params {
    n: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    let value = x[i];
    let inner = SQRT_2_PI * (value + 0.044715 * value * value * value);
    let bent = select(tanh(inner), sign(inner), abs(inner) > 10.0);
    out[i] = 0.5 * value * (1.0 + bent);
}
