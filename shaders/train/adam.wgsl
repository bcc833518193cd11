// train/adam: each weight takes a step that makes the loss smaller.
//
// Adam keeps two running averages for each weight: one of its gradient (mean),
// one of its gradient's square (square). The step is the first divided by the
// root of the second. So it is large where the gradient keeps its direction and
// small where it jumps about, whatever the gradient's size. train/clock gives the
// rate, and corrects it because the averages start at 0.
//
// One invocation updates one weight.

struct Params {
    n: u32,
    beta1: f32, // how slowly mean follows
    beta2: f32, // how slowly square follows
    epsilon: f32, // keeps the division finite
}

struct Clock {
    step: u32,
    first: u32,
    rate: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> clock: Clock;
@group(0) @binding(2) var<storage, read> gradient: array<f32>;
@group(0) @binding(3) var<storage, read_write> mean: array<f32>;
@group(0) @binding(4) var<storage, read_write> square: array<f32>;
@group(0) @binding(5) var<storage, read_write> weights: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    let g = gradient[i];
    let average = mix(g, mean[i], params.beta1);
    let average_square = mix(g * g, square[i], params.beta2);
    mean[i] = average;
    square[i] = average_square;
    weights[i] -= clock.rate * average / (sqrt(average_square) + params.epsilon);
}
