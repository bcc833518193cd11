// fused/forward: an image goes through the whole network in one workgroup.
//
// The six passes of the course pass their results on in buffers, and the device
// stops after each pass. For a few images the stops take longer than the work. Here
// the numbers between two layers stay in workgroup memory.
//
// SIZE invocations share the first layer's 784 × 128 products. Each takes
// 4 neighbouring hidden neurons and one of SLICES parts of the pixels. The parts
// are added up afterwards, and the second layer works the same way.

const INPUTS = 784u;
const OUTPUTS = 10u;
const SIZE = 256u;
const QUADS = 32u; // 128 hidden neurons, 4 at a time
const SLICES = 8u; // SIZE / QUADS
const SLICE = 98u; // INPUTS / SLICES
const PARTS = 16u; // of the second layer's sums
const PART = 2u; // QUADS / PARTS

struct Params {
    images: u32,
    mean: f32,
    stddev: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>; // 4 bytes per word, lowest first
@group(0) @binding(2) var<storage, read> w1: array<vec4<f32>>; // 784 × 128
@group(0) @binding(3) var<storage, read> b1: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> w2: array<f32>; // 128 × 10
@group(0) @binding(5) var<storage, read> b2: array<f32>;
@group(0) @binding(6) var<storage, read_write> out: array<f32>; // 10 probabilities per image

var<workgroup> x: array<f32, INPUTS>;
var<workgroup> sums: array<array<vec4<f32>, QUADS>, SLICES>;
var<workgroup> hidden: array<vec4<f32>, QUADS>;
var<workgroup> parts: array<array<f32, PARTS>, OUTPUTS>;
var<workgroup> scores: array<f32, OUTPUTS>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) id: u32) {
    let image = group.x;
    if (id < INPUTS / 4u) {
        let values = (unpack4x8unorm(pixels[image * (INPUTS / 4u) + id]) - params.mean) / params.stddev;
        for (var j = 0u; j < 4u; j++) {
            x[4u * id + j] = values[j];
        }
    }
    workgroupBarrier();

    let quad = id % QUADS;
    let slice = id / QUADS;
    var sum = vec4(0.0);
    for (var i = slice * SLICE; i < slice * SLICE + SLICE; i += 7u) { // 7 at once, so that their fetches overlap
        let at = i * QUADS + quad;
        sum += x[i] * w1[at] + x[i + 1u] * w1[at + QUADS] + x[i + 2u] * w1[at + 2u * QUADS] + x[i + 3u] * w1[at + 3u * QUADS]
            + x[i + 4u] * w1[at + 4u * QUADS] + x[i + 5u] * w1[at + 5u * QUADS] + x[i + 6u] * w1[at + 6u * QUADS];
    }
    sums[slice][quad] = sum;
    workgroupBarrier();

    if (id < QUADS) {
        var total = b1[id];
        for (var s = 0u; s < SLICES; s++) {
            total += sums[s][id];
        }
        hidden[id] = max(total, vec4(0.0));
    }
    workgroupBarrier();

    let digit = id / PARTS;
    let part = id % PARTS;
    if (digit < OUTPUTS) {
        var score = 0.0;
        for (var q = part * PART; q < part * PART + PART; q++) {
            let at = 4u * q * OUTPUTS + digit;
            score += dot(hidden[q], vec4(w2[at], w2[at + OUTPUTS], w2[at + 2u * OUTPUTS], w2[at + 3u * OUTPUTS]));
        }
        parts[digit][part] = score;
    }
    workgroupBarrier();

    if (id < OUTPUTS) {
        var score = b2[id];
        for (var p = 0u; p < PARTS; p++) {
            score += parts[id][p];
        }
        scores[id] = score;
    }
    workgroupBarrier();

    if (id < OUTPUTS) {
        var largest = scores[0];
        for (var j = 1u; j < OUTPUTS; j++) {
            largest = max(largest, scores[j]);
        }
        var total = 0.0;
        for (var j = 0u; j < OUTPUTS; j++) {
            total += exp(scores[j] - largest);
        }
        out[image * OUTPUTS + id] = exp(scores[id] - largest) / total;
    }
}
