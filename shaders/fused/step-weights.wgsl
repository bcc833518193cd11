// fused/step-weights: the second half of a training step. It computes each weight's
// gradient and takes Adam's step with it at once.
//
// It does the work of train/gradient-weights, train/gradient-bias, train/adam and
// train/clock for all four tensors. The first WIDE workgroups each make 4 rows of
// the first layer's weights. The others each make 64 of the remaining numbers: the
// second layer's weights, then both layers' biases. Every number is a sum over the
// batch, and SLICES groups of invocations add up a part each.

const INPUTS = 784u;
const HIDDEN = 128u;
const OUTPUTS = 10u;
const SIZE = 256u;
const ROWS = 4u;
const QUADS = 32u; // HIDDEN / 4
const SLICES = 4u;
const WIDE = 196u; // INPUTS / ROWS
const EACH = 64u; // SIZE / SLICES
const FIRST_LAYER = 100352u; // INPUTS * HIDDEN
const SECOND_LAYER = 1280u; // HIDDEN * OUTPUTS
const REST = 1418u; // SECOND_LAYER + HIDDEN + OUTPUTS
const PI = 3.14159265;

struct Plan {
    batch: u32,
    steps_per_epoch: u32,
    steps: u32, // in the whole training
    at_once: u32, // steps whose images are distorted together
    rate: f32,
    beta1: f32,
    beta2: f32,
    epsilon: f32,
}

struct Clock {
    step: u32, // 1 in the first step
    first: u32, // the step's first sample in the order
    rate: f32, // of this step, corrected
}

@group(0) @binding(0) var<uniform> plan: Plan;
@group(0) @binding(1) var<storage, read> noted: Clock;
@group(0) @binding(2) var<storage, read_write> clock: Clock;
@group(0) @binding(3) var<storage, read> x: array<vec2<f32>>; // normalised, for at_once steps
@group(0) @binding(4) var<storage, read> hidden: array<f32>; // batch × 128
@group(0) @binding(5) var<storage, read> d_hidden: array<vec4<f32>>; // batch × 128
@group(0) @binding(6) var<storage, read> d_scores: array<f32>; // batch × 10
@group(0) @binding(7) var<storage, read_write> mean: array<f32>; // Adam's averages, of w1, w2, b1 and b2
@group(0) @binding(8) var<storage, read_write> square: array<f32>;
@group(0) @binding(9) var<storage, read_write> w1: array<f32>;
@group(0) @binding(10) var<storage, read_write> b1: array<f32>;
@group(0) @binding(11) var<storage, read_write> w2: array<f32>;
@group(0) @binding(12) var<storage, read_write> b2: array<f32>;

var<workgroup> wide: array<array<array<vec4<f32>, QUADS>, ROWS>, SLICES>;
var<workgroup> narrow: array<array<f32, EACH>, SLICES>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) id: u32) {
    if (group.x < WIDE) {
        first_layer(group.x * ROWS, id);
    } else {
        the_rest((group.x - WIDE) * EACH, id);
    }
    if (group.x == 0u && id == 0u) {
        tick();
    }
}

// first_layer updates the weights of 4 pixels: rows row to row + 3 of w1.
fn first_layer(row: u32, id: u32) {
    let quad = id % QUADS;
    let pair = id / QUADS % 2u; // two of the rows
    let slice = id / (2u * QUADS);
    let start = (noted.step - 1u) % plan.steps_per_epoch % plan.at_once * plan.batch;
    var sum0 = vec4(0.0);
    var sum1 = vec4(0.0);
    for (var i = slice; i < plan.batch; i += SLICES) {
        let pixels = x[((start + i) * INPUTS + row) / 2u + pair];
        let d = d_hidden[i * QUADS + quad];
        sum0 += pixels.x * d;
        sum1 += pixels.y * d;
    }
    wide[slice][2u * pair][quad] = sum0;
    wide[slice][2u * pair + 1u][quad] = sum1;
    workgroupBarrier();
    for (var i = id; i < ROWS * HIDDEN; i += SIZE) {
        let r = i / HIDDEN;
        let q = i % HIDDEN / 4u;
        let c = i % 4u;
        let gradient = wide[0][r][q][c] + wide[1][r][q][c] + wide[2][r][q][c] + wide[3][r][q][c];
        let at = row * HIDDEN + i;
        w1[at] += adam(at, gradient);
    }
}

// the_rest updates numbers start to start + 63 of w2, b1 and b2, taken as one sequence.
fn the_rest(start: u32, id: u32) {
    let at = start + id % EACH;
    let slice = id / EACH;
    var sum = 0.0;
    for (var i = slice; i < plan.batch; i += SLICES) {
        if (at < SECOND_LAYER) {
            sum += hidden[i * HIDDEN + at / OUTPUTS] * d_scores[i * OUTPUTS + at % OUTPUTS];
        } else if (at < SECOND_LAYER + HIDDEN) {
            let neuron = at - SECOND_LAYER;
            sum += d_hidden[i * QUADS + neuron / 4u][neuron % 4u];
        } else if (at < REST) {
            sum += d_scores[i * OUTPUTS + at - SECOND_LAYER - HIDDEN];
        }
    }
    narrow[slice][id % EACH] = sum;
    workgroupBarrier();
    if (id < EACH && at < REST) {
        let step = adam(FIRST_LAYER + at, narrow[0][id] + narrow[1][id] + narrow[2][id] + narrow[3][id]);
        if (at < SECOND_LAYER) {
            w2[at] += step;
        } else if (at < SECOND_LAYER + HIDDEN) {
            b1[at - SECOND_LAYER] += step;
        } else {
            b2[at - SECOND_LAYER - HIDDEN] += step;
        }
    }
}

// adam computes how far a number moves, as in train/adam.
fn adam(i: u32, gradient: f32) -> f32 {
    let average = mix(gradient, mean[i], plan.beta1);
    let average_square = mix(gradient * gradient, square[i], plan.beta2);
    mean[i] = average;
    square[i] = average_square;
    return -noted.rate * average / (sqrt(average_square) + plan.epsilon);
}

// tick begins the next step, as train/clock does.
fn tick() {
    let done = noted.step;
    let step = f32(done + 1u);
    clock.step = done + 1u;
    clock.first = done % plan.steps_per_epoch * plan.batch;
    let cosine = 0.5 + 0.5 * cos(PI * f32(done) / f32(plan.steps));
    let correction = sqrt(1.0 - pow(plan.beta2, step)) / (1.0 - pow(plan.beta1, step));
    clock.rate = plan.rate * cosine * correction;
}
