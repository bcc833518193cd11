// fused/attention: an image goes through the whole network that attends, in one workgroup.
//
// The image is cut into 16 patches, and each becomes a token of 32 numbers. All tokens
// stay in workgroup memory, four numbers in a vec4, a token in each row. The 64
// invocations share every product so that each makes 4 numbers of two tokens: a weight
// that it fetches is used twice, a number of a token four times.
//
// In attention, an invocation makes one row of one head, as in attention-online: the
// row's probabilities need no memory.

const SIZE = 64u;
const TOKENS = 16u;
const WIDE = 8u; // vec4s in a token: 32 / 4
const HIDDEN = 24u; // vec4s in a row of the hidden layer, and of q, k and v: 96 / 4
const PATCH = 13u; // vec4s in a patch: 49 pixels, and 3 zeros
const HEAD = 2u; // vec4s of a head: 8 / 4
const OUTPUTS = 10u;
const SHARES = 6u; // of the products that make a score

// Where the weights begin, in vec4s, in the order of the network's file.
const TOKENS_B = 392u;
const POSITIONS = 400u;
const LAYER = 528u; // the first layer; the others follow
const EACH = 2656u; // vec4s of a layer
const QKV = 16u; // in a layer, after the gain and the bias of layer-norm
const QKV_EACH = 264u;
const OUT = 808u;
const NORM_2 = 1072u;
const UP = 1088u;
const DOWN = 1880u;
const NORM = 5840u; // after the layers
const SCORES = 23424u; // in numbers: 512 × 10, then 10
const SCORES_B = 28544u;

// Where the rows begin in workgroup memory.
const X = 0u; // the tokens
const N = 128u; // the tokens after layer-norm, and what the heads make of them
const W = 256u; // patches; q, k and v; the hidden layer; parts of the scores

struct Params {
    mean: f32,
    stddev: f32,
    layers: u32, // 2
    wide: u32, // 8: a loop of a length that the compiler knows gets long, and a CPU's takes a minute
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>; // 4 bytes per word, lowest first
@group(0) @binding(2) var<storage, read> weights: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // 10 probabilities per image

var<workgroup> rows: array<vec4<f32>, 640>;
var<workgroup> scores: array<f32, OUTPUTS>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let t = me / WIDE; // of two tokens: t and t + 8
    let c = me % WIDE;

    for (var i = me; i < TOKENS * PATCH; i += SIZE) {
        rows[W + i] = patch_of(group.x, i / PATCH, 4u * (i % PATCH));
    }
    workgroupBarrier();
    // A row of a patch ends with zeros, so the weights after its 49 count for nothing.
    let tokens = product(W, PATCH, params.wide + 5u, 0u, WIDE, t, c);
    rows[X + me] = tokens[0] + weights[TOKENS_B + c] + weights[POSITIONS + me];
    rows[X + me + SIZE] = tokens[1] + weights[TOKENS_B + c] + weights[POSITIONS + me + SIZE];
    workgroupBarrier();

    for (var layer = 0u; layer < params.layers; layer++) {
        let w = LAYER + EACH * layer;
        normalise(w, me);
        workgroupBarrier();
        for (var column = c; column < HIDDEN; column += WIDE) { // of q, then of k, then of v
            let at = w + QKV + QKV_EACH * (column / WIDE);
            put(product(N, WIDE, params.wide, at, WIDE, t, c), weights[at + 256u + c], HIDDEN * t + column);
        }
        workgroupBarrier();
        attend(me);
        workgroupBarrier();
        add(product(N, WIDE, params.wide, w + OUT, WIDE, t, c), weights[w + OUT + 256u + c], me);
        workgroupBarrier();

        normalise(w + NORM_2, me);
        workgroupBarrier();
        for (var column = c; column < HIDDEN; column += WIDE) {
            let sums = product(N, WIDE, params.wide, w + UP, HIDDEN, t, column);
            let bias = weights[w + UP + 768u + column];
            put(mat2x4(gelu(sums[0] + bias), gelu(sums[1] + bias)), vec4(0.0), HIDDEN * t + column);
        }
        workgroupBarrier();
        add(product(W, HIDDEN, 3u * params.wide, w + DOWN, WIDE, t, c), weights[w + DOWN + 768u + c], me);
        workgroupBarrier();
    }

    normalise(NORM, me);
    workgroupBarrier();
    if (me < SHARES * OUTPUTS) {
        share_of_scores(me);
    }
    workgroupBarrier();
    if (me < OUTPUTS) {
        var score = weight(SCORES_B + me);
        for (var i = 0u; i < SHARES; i++) {
            score += rows[W + OUTPUTS * i + me].x;
        }
        scores[me] = score;
    }
    workgroupBarrier();
    if (me < OUTPUTS) {
        var largest = scores[0];
        for (var j = 1u; j < OUTPUTS; j++) {
            largest = max(largest, scores[j]);
        }
        var total = 0.0;
        for (var j = 0u; j < OUTPUTS; j++) {
            total += exp(scores[j] - largest);
        }
        out[group.x * OUTPUTS + me] = exp(scores[me] - largest) / total;
    }
}

fn weight(i: u32) -> f32 { return weights[i / 4u][i % 4u]; }

// patch_of fetches four pixels of a patch, which are 0 from the 49th on.
fn patch_of(image: u32, token: u32, first: u32) -> vec4<f32> {
    var four = vec4(0.0);
    for (var j = 0u; j < 4u; j++) {
        let i = first + j;
        if (i < 49u) {
            let at = image * 784u + (7u * (token / 4u) + i / 7u) * 28u + 7u * (token % 4u) + i % 7u;
            let byte = (pixels[at / 4u] >> (8u * (at % 4u))) & 0xffu;
            four[j] = (f32(byte) / 255.0 - params.mean) / params.stddev;
        }
    }
    return four;
}

// product makes 4 numbers, column c, of rows t and t + 8: the rows from `start` on, of length
// `length`, times the weights from w. Lengths and columns are in vec4s.
fn product(start: u32, stride: u32, length: u32, w: u32, columns: u32, t: u32, c: u32) -> mat2x4<f32> {
    var sum0 = vec4(0.0);
    var sum1 = vec4(0.0);
    for (var k = 0u; k < length; k++) {
        let a = rows[start + stride * t + k];
        let b = rows[start + stride * (t + 8u) + k];
        let at = w + 4u * k * columns + c;
        let w0 = weights[at];
        let w1 = weights[at + columns];
        let w2 = weights[at + 2u * columns];
        let w3 = weights[at + 3u * columns];
        sum0 += a.x * w0 + a.y * w1 + a.z * w2 + a.w * w3;
        sum1 += b.x * w0 + b.y * w1 + b.z * w2 + b.w * w3;
    }
    return mat2x4(sum0, sum1);
}

// put stores two results in the rows of W, 8 rows apart.
fn put(sums: mat2x4<f32>, bias: vec4<f32>, at: u32) {
    rows[W + at] = sums[0] + bias;
    rows[W + at + 8u * HIDDEN] = sums[1] + bias;
}

// add adds two results to the tokens.
fn add(sums: mat2x4<f32>, bias: vec4<f32>, me: u32) {
    rows[X + me] += sums[0] + bias;
    rows[X + me + SIZE] += sums[1] + bias;
}

// normalise makes N of X. Four invocations share a row, and each of them finds its mean.
fn normalise(w: u32, me: u32) {
    let start = WIDE * (me / 4u);
    var total = vec4(0.0);
    for (var i = 0u; i < params.wide; i++) {
        total += rows[X + start + i];
    }
    let mean = dot(total, vec4(1.0)) / 32.0;
    var square = 0.0;
    for (var i = 0u; i < params.wide; i++) {
        let d = rows[X + start + i] - mean;
        square += dot(d, d);
    }
    let scale = inverseSqrt(square / 32.0 + 1e-5);
    for (var q = me % 4u; q < WIDE; q += 4u) {
        rows[N + start + q] = (rows[X + start + q] - mean) * scale * weights[w + q] + weights[w + WIDE + q];
    }
}

// attend makes row me % 16 of head me / 16: how much it looks at each token, and the mix
// of what they have.
fn attend(me: u32) {
    let row = me % TOKENS;
    let q = W + HEAD * (me / TOKENS); // of the head's first row
    let q0 = rows[q + HIDDEN * row];
    let q1 = rows[q + HIDDEN * row + 1u];
    var largest = -3.4e38; // so far
    var total = 0.0;
    var mix0 = vec4(0.0);
    var mix1 = vec4(0.0);
    for (var i = 0u; i < 2u * params.wide; i++) {
        let k = q + HIDDEN * i + WIDE;
        let v = k + WIDE;
        let score = (dot(q0, rows[k]) + dot(q1, rows[k + 1u])) * 0.35355339; // 1 / √8
        let before = largest;
        largest = max(largest, score);
        let fade = exp(before - largest); // for what was added up for a smaller one
        let e = exp(score - largest);
        total = total * fade + e;
        mix0 = mix0 * fade + e * rows[v];
        mix1 = mix1 * fade + e * rows[v + 1u];
    }
    let at = N + WIDE * row + HEAD * (me / TOKENS);
    rows[at] = mix0 / total;
    rows[at + 1u] = mix1 / total;
}

// gelu by its formula with tanh (Hendrycks and Gimpel, "Gaussian Error Linear Units",
// 2016), of which (1 + tanh(u)) / 2 is 1 / (1 + exp(-2u)).
fn gelu(x: vec4<f32>) -> vec4<f32> {
    let u = 0.79788456 * (x + 0.044715 * x * x * x);
    return x / (1.0 + exp(min(-2.0 * u, vec4(80.0))));
}

// share_of_scores adds up a sixth of the 512 products of score me % 10.
fn share_of_scores(me: u32) {
    var sum = 0.0;
    for (var i = me / OUTPUTS; i < TOKENS * WIDE; i += SHARES) {
        let four = rows[N + i];
        let w = SCORES + 4u * OUTPUTS * i + me % OUTPUTS;
        sum += dot(four, vec4(weight(w), weight(w + OUTPUTS), weight(w + 2u * OUTPUTS), weight(w + 3u * OUTPUTS)));
    }
    rows[W + me] = vec4(sum);
}
