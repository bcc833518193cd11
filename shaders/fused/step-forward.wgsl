// fused/step-forward: the first half of a training step, for IMAGES images per
// workgroup: forward, the loss, and back to the hidden neurons.
//
// It does the work of linear, relu, linear, train/loss and train/gradient-relu, one
// after the other; internal/networks/README.md says why. An earlier pass distorted the images of
// several steps. This shader reads the clock and notes it for the second half, which
// moves it on: no workgroup may read what another workgroup of the same pass writes.

const INPUTS = 784u;
const HIDDEN = 128u;
const OUTPUTS = 10u;
const SIZE = 256u;
const IMAGES = 2u;
const QUADS = 32u; // HIDDEN / 4
const SLICES = 8u; // SIZE / QUADS
const SLICE = 98u; // INPUTS / SLICES
const PARTS = 8u; // of the second layer's sums
const PART = 16u; // HIDDEN / PARTS

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
@group(0) @binding(1) var<storage, read> clock: Clock;
@group(0) @binding(2) var<storage, read_write> noted: Clock;
@group(0) @binding(3) var<storage, read> order: array<u32>; // the epoch's samples, shuffled
@group(0) @binding(4) var<storage, read> labels: array<u32>;
@group(0) @binding(5) var<storage, read> x: array<f32>; // normalised, for at_once steps
@group(0) @binding(6) var<storage, read> w1: array<vec4<f32>>; // 784 × 128
@group(0) @binding(7) var<storage, read> b1: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read> w2: array<f32>; // 128 × 10
@group(0) @binding(9) var<storage, read> b2: array<f32>;
@group(0) @binding(10) var<storage, read_write> hidden: array<f32>; // batch × 128
@group(0) @binding(11) var<storage, read_write> d_hidden: array<f32>; // batch × 128
@group(0) @binding(12) var<storage, read_write> d_scores: array<f32>; // batch × 10
@group(0) @binding(13) var<storage, read_write> losses: array<f32>;

var<workgroup> values: array<array<f32, INPUTS>, IMAGES>;
var<workgroup> sums: array<array<array<vec4<f32>, QUADS>, SLICES>, IMAGES>;
var<workgroup> neurons: array<array<f32, HIDDEN>, IMAGES>;
var<workgroup> parts: array<array<array<f32, PARTS>, OUTPUTS>, IMAGES>;
var<workgroup> scores: array<array<f32, OUTPUTS>, IMAGES>;
var<workgroup> gradient: array<array<f32, OUTPUTS>, IMAGES>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) id: u32) {
    let done = (clock.step - 1u) % plan.steps_per_epoch;
    let start = done % plan.at_once * plan.batch; // of the step's images in x
    let last = plan.batch - 1u; // images past the last repeat it, and are not stored
    if (group.x == 0u && id == 0u) {
        noted = clock;
    }
    for (var i = id; i < IMAGES * INPUTS; i += SIZE) {
        let image = min(IMAGES * group.x + i / INPUTS, last);
        values[i / INPUTS][i % INPUTS] = x[(start + image) * INPUTS + i % INPUTS];
    }
    workgroupBarrier();

    let quad = id % QUADS;
    let slice = id / QUADS;
    var sum0 = vec4(0.0);
    var sum1 = vec4(0.0);
    for (var i = slice * SLICE; i < slice * SLICE + SLICE; i += 7u) { // 7 at once, so that their fetches overlap
        let at = i * QUADS + quad;
        let wa = w1[at];
        let wb = w1[at + QUADS];
        let wc = w1[at + 2u * QUADS];
        let wd = w1[at + 3u * QUADS];
        let we = w1[at + 4u * QUADS];
        let wf = w1[at + 5u * QUADS];
        let wg = w1[at + 6u * QUADS];
        sum0 += values[0][i] * wa + values[0][i + 1u] * wb + values[0][i + 2u] * wc + values[0][i + 3u] * wd
            + values[0][i + 4u] * we + values[0][i + 5u] * wf + values[0][i + 6u] * wg;
        sum1 += values[1][i] * wa + values[1][i + 1u] * wb + values[1][i + 2u] * wc + values[1][i + 3u] * wd
            + values[1][i + 4u] * we + values[1][i + 5u] * wf + values[1][i + 6u] * wg;
    }
    sums[0][slice][quad] = sum0;
    sums[1][slice][quad] = sum1;
    workgroupBarrier();

    if (id < IMAGES * QUADS) {
        let image = id / QUADS;
        var total = b1[quad];
        for (var s = 0u; s < SLICES; s++) {
            total += sums[image][s][quad];
        }
        total = max(total, vec4(0.0));
        for (var j = 0u; j < 4u; j++) {
            neurons[image][4u * quad + j] = total[j];
        }
    }
    workgroupBarrier();

    if (id < IMAGES * OUTPUTS * PARTS) {
        let image = id / (OUTPUTS * PARTS);
        let digit = id / PARTS % OUTPUTS;
        let part = id % PARTS;
        var score = 0.0;
        for (var i = part; i < HIDDEN; i += PARTS) {
            score += neurons[image][i] * w2[i * OUTPUTS + digit];
        }
        parts[image][digit][part] = score;
    }
    workgroupBarrier();

    let row = min(id / OUTPUTS, IMAGES - 1u); // the image of the first IMAGES * OUTPUTS invocations
    let digit = id % OUTPUTS;
    if (id < IMAGES * OUTPUTS) {
        var score = b2[digit];
        for (var p = 0u; p < PARTS; p++) {
            score += parts[row][digit][p];
        }
        scores[row][digit] = score;
    }
    workgroupBarrier();

    if (id < IMAGES * OUTPUTS) {
        let image = IMAGES * group.x + row;
        let label = labels[order[clock.first + min(image, last)]];
        var largest = scores[row][0];
        for (var j = 1u; j < OUTPUTS; j++) {
            largest = max(largest, scores[row][j]);
        }
        var total = 0.0;
        for (var j = 0u; j < OUTPUTS; j++) {
            total += exp(scores[row][j] - largest);
        }
        let probability = exp(scores[row][digit] - largest) / total;
        let d = (probability - select(0.0, 1.0, digit == label)) / f32(plan.batch);
        gradient[row][digit] = d;
        if (image <= last) {
            d_scores[image * OUTPUTS + digit] = d;
            if (digit == label) {
                losses[clock.first + image] = log(total) + largest - scores[row][digit];
            }
        }
    }
    workgroupBarrier();

    for (var i = id; i < IMAGES * HIDDEN; i += SIZE) {
        let neuron = i % HIDDEN;
        let image = IMAGES * group.x + i / HIDDEN;
        let value = neurons[i / HIDDEN][neuron];
        var d = 0.0;
        if (value > 0.0) {
            for (var j = 0u; j < OUTPUTS; j++) {
                d += gradient[i / HIDDEN][j] * w2[neuron * OUTPUTS + j];
            }
        }
        if (image <= last) {
            hidden[image * HIDDEN + neuron] = value;
            d_hidden[image * HIDDEN + neuron] = d;
        }
    }
}
