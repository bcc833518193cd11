// goals: none
// way: The sum starts with the bias, and takes four products a step.
// Four terms at once with vec4 and dot, in a helper.
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

fn four(sample: u32, neuron: u32, i: u32) -> f32 {
    let row = sample * dims.k + i;
    let inputs = vec4f(x[row], x[row + 1u], x[row + 2u], x[row + 3u]);
    let weights = vec4f(
        w[i * dims.n + neuron],
        w[(i + 1u) * dims.n + neuron],
        w[(i + 2u) * dims.n + neuron],
        w[(i + 3u) * dims.n + neuron],
    );
    return dot(inputs, weights);
}

@compute @workgroup_size(4, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= dims.n || id.y >= dims.m) {
        return;
    }
    var sum = bias[id.x];
    var i = 0u;
    while (i + 4u <= dims.k) {
        sum += four(id.y, id.x, i);
        i += 4u;
    }
    while (i < dims.k) {
        sum += x[id.y * dims.k + i] * w[i * dims.n + id.x];
        i++;
    }
    out[id.y * dims.n + id.x] = sum;
}
