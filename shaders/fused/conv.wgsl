// fused/conv: an image goes through the whole network with filters, in one workgroup.
//
// Both pictures that filters look at have a rim of zeros, so no filter needs a guard. An
// invocation makes the four pixels that max-pool takes the largest of, for several
// filters at once: 4 for the first layer, 8 for the second. So it keeps all that it
// needs between convolution and pool in its registers, and each number that it fetches
// is used many times.
//
// The last layer adds up over everything. Each invocation begins with what it made
// itself, and a tree adds up the rest.

const SIZE = 256u;
const FIRST = 16u; // filters
const SECOND = 32u;
const RIM = 30u; // a side of the image with its rim
const POOLED = 16u; // a side of what the first layer makes, with its rim
const PLACES = 49u; // of 2 × 2 pixels that the second layer makes one of
const OUTPUTS = 10u;
const SHARES = 16u; // of the sums for a score
const NEXT = 490u; // PLACES * OUTPUTS: from a filter to the next in w3

struct Params {
    mean: f32,
    stddev: f32,
    channels: u32, // 16: a loop of a length that the compiler knows gets too long
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>; // 4 bytes per word, lowest first
@group(0) @binding(2) var<storage, read> w1: array<vec4<f32>>; // 3 × 3 × 16
@group(0) @binding(3) var<storage, read> b1: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> w2: array<vec4<f32>>; // 16 × 3 × 3 × 32
@group(0) @binding(5) var<storage, read> b2: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read> w3: array<f32>; // (32 · 49) × 10
@group(0) @binding(7) var<storage, read> b3: array<f32>;
@group(0) @binding(8) var<storage, read_write> out: array<f32>; // 10 probabilities per image

var<workgroup> image: array<f32, 900>; // RIM * RIM
var<workgroup> pooled: array<f32, 4096>; // FIRST * POOLED * POOLED, then parts of the scores
var<workgroup> scores: array<f32, OUTPUTS>;

// The sums of an invocation for four filters: upper left pixel, upper right, and so on.
struct Four {
    p00: vec4<f32>,
    p01: vec4<f32>,
    p10: vec4<f32>,
    p11: vec4<f32>,
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    for (var i = me; i < RIM * RIM; i += SIZE) {
        image[i] = pixel(group.x, i / RIM, i % RIM);
    }
    for (var i = me; i < FIRST * POOLED * POOLED; i += SIZE) {
        pooled[i] = 0.0; // only the rim stays
    }
    workgroupBarrier();
    for (var i = me; i < 784u; i += SIZE) { // 14 × 14 places, 4 times 4 filters
        first_layer(i % 196u, i / 196u);
    }
    workgroupBarrier();

    // The second layer, and this invocation's part of the scores.
    var parts: array<f32, OUTPUTS>;
    if (me < 4u * PLACES) {
        let place = me % PLACES;
        let eight = me / PLACES;
        let top = POOLED * (2u * (place / 7u)) + 2u * (place % 7u);
        var a = Four(b2[2u * eight], b2[2u * eight], b2[2u * eight], b2[2u * eight]);
        var b = Four(b2[2u * eight + 1u], b2[2u * eight + 1u], b2[2u * eight + 1u], b2[2u * eight + 1u]);
        for (var c = 0u; c < params.channels; c++) {
            let at = c * POOLED * POOLED + top;
            let r0 = pooled_row(at);
            let r1 = pooled_row(at + POOLED);
            let r2 = pooled_row(at + 2u * POOLED);
            let r3 = pooled_row(at + 3u * POOLED);
            let w = 72u * c + 2u * eight; // 9 taps of 8 vec4s
            taps(&a, r0, r1, w2[w], w2[w + 8u], w2[w + 16u]);
            taps(&b, r0, r1, w2[w + 1u], w2[w + 9u], w2[w + 17u]);
            taps(&a, r1, r2, w2[w + 24u], w2[w + 32u], w2[w + 40u]);
            taps(&b, r1, r2, w2[w + 25u], w2[w + 33u], w2[w + 41u]);
            taps(&a, r2, r3, w2[w + 48u], w2[w + 56u], w2[w + 64u]);
            taps(&b, r2, r3, w2[w + 49u], w2[w + 57u], w2[w + 65u]);
        }
        let upper = largest(a);
        let lower = largest(b);
        for (var j = 0u; j < OUTPUTS; j++) {
            let w = (8u * eight * PLACES + place) * OUTPUTS + j;
            parts[j] = dot(upper, vec4(w3[w], w3[w + NEXT], w3[w + 2u * NEXT], w3[w + 3u * NEXT]))
                + dot(lower, vec4(w3[w + 4u * NEXT], w3[w + 5u * NEXT], w3[w + 6u * NEXT], w3[w + 7u * NEXT]));
        }
    }
    workgroupBarrier(); // all have read pooled, so the parts can replace it
    for (var j = 0u; j < OUTPUTS; j++) {
        pooled[j * SIZE + me] = parts[j];
    }
    workgroupBarrier();
    if (me < SHARES * OUTPUTS) {
        var sum = 0.0;
        let start = me / SHARES * SIZE + me % SHARES;
        for (var i = 0u; i < SIZE; i += SHARES) {
            sum += pooled[start + i];
        }
        image[me] = sum;
    }
    workgroupBarrier();
    if (me < OUTPUTS) {
        var score = b3[me];
        for (var i = 0u; i < SHARES; i++) {
            score += image[me * SHARES + i];
        }
        scores[me] = score;
    }
    workgroupBarrier();
    if (me < OUTPUTS) {
        var most = scores[0];
        for (var j = 1u; j < OUTPUTS; j++) {
            most = max(most, scores[j]);
        }
        var total = 0.0;
        for (var j = 0u; j < OUTPUTS; j++) {
            total += exp(scores[j] - most);
        }
        out[group.x * OUTPUTS + me] = exp(scores[me] - most) / total;
    }
}

// pixel fetches a pixel of the image with its rim.
fn pixel(which: u32, row: u32, column: u32) -> f32 {
    if (row == 0u || column == 0u || row == RIM - 1u || column == RIM - 1u) {
        return 0.0;
    }
    let at = which * 784u + (row - 1u) * 28u + column - 1u;
    let byte = (pixels[at / 4u] >> (8u * (at % 4u))) & 0xffu;
    return (f32(byte) / 255.0 - params.mean) / params.stddev;
}

// first_layer makes one pixel of what the first layer makes, for four filters.
fn first_layer(place: u32, four: u32) {
    let row = place / 14u;
    let column = place % 14u;
    let at = RIM * 2u * row + 2u * column;
    let r0 = image_row(at);
    let r1 = image_row(at + RIM);
    let r2 = image_row(at + 2u * RIM);
    let r3 = image_row(at + 3u * RIM);
    var sums = Four(b1[four], b1[four], b1[four], b1[four]);
    taps(&sums, r0, r1, w1[four], w1[four + 4u], w1[four + 8u]);
    taps(&sums, r1, r2, w1[four + 12u], w1[four + 16u], w1[four + 20u]);
    taps(&sums, r2, r3, w1[four + 24u], w1[four + 28u], w1[four + 32u]);
    let best = largest(sums);
    let to = 4u * four * POOLED * POOLED + POOLED * (row + 1u) + column + 1u;
    pooled[to] = best.x;
    pooled[to + POOLED * POOLED] = best.y;
    pooled[to + 2u * POOLED * POOLED] = best.z;
    pooled[to + 3u * POOLED * POOLED] = best.w;
}

fn image_row(at: u32) -> vec4<f32> { return vec4(image[at], image[at + 1u], image[at + 2u], image[at + 3u]); }

fn pooled_row(at: u32) -> vec4<f32> { return vec4(pooled[at], pooled[at + 1u], pooled[at + 2u], pooled[at + 3u]); }

// taps adds what one row of the filters makes of two rows: for the upper two pixels and
// for the lower two.
fn taps(sums: ptr<function, Four>, upper: vec4<f32>, lower: vec4<f32>, left: vec4<f32>, middle: vec4<f32>, right: vec4<f32>) {
    (*sums).p00 += upper.x * left + upper.y * middle + upper.z * right;
    (*sums).p01 += upper.y * left + upper.z * middle + upper.w * right;
    (*sums).p10 += lower.x * left + lower.y * middle + lower.z * right;
    (*sums).p11 += lower.y * left + lower.z * middle + lower.w * right;
}

// largest takes the largest of four pixels, but at least 0.
fn largest(sums: Four) -> vec4<f32> {
    return max(max(max(sums.p00, sums.p01), max(sums.p10, sums.p11)), vec4(0.0));
}
