// fused/attention-step: the network that attends, forward and backward, for one image in a
// workgroup.
//
// The forward half is fused/attention, and keeps what the backward half needs. The
// backward half goes through the same passes in reverse. X then holds how the loss
// changes with each number of the tokens, and each pass turns that into the gradients
// of its weights, and passes it on.
//
// A sum, such as x + out, passes a gradient on as it is, to both. For a linear layer it
// is d · wᵀ, and the weights get xᵀ · d. Softmax gives p · (d - Σ p · d) of a row. And
// layer-norm takes from a gradient what it took from the row: its mean, and what goes
// along with the row.
//
// Each image leaves gradients of its own. train/gradient-bias adds them up, image after
// image, so no two workgroups write the same number.

const SIZE = 64u;
const TOKENS = 16u;
const WIDE = 8u; // vec4s in a token: 32 / 4
const HIDDEN = 24u; // vec4s in a row of the hidden layer, and of q, k and v: 96 / 4
const PATCH = 13u; // vec4s in a patch: 49 pixels, and 3 zeros
const HEAD = 2u; // vec4s of a head: 8 / 4
const OUTPUTS = 10u;
const SHARES = 6u; // of the products that make a score
const ROOT = 0.35355339; // 1 / √8

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
const ALL = 7139u; // vec4s of all weights
const SCORES = 23424u; // in numbers: 512 × 10, then 10
const SCORES_B = 28544u;

// Where the rows begin in workgroup memory.
const X = 0u; // the tokens, then their gradients
const N = 128u; // the tokens after layer-norm, and what the heads make of them
const W = 256u; // patches; q, k and v; the hidden layer; parts of the scores

// Where an image keeps what the way back needs, in vec4s.
const KEPT = 2944u; // for an image
const KEPT_EACH = 1152u; // for a layer
const KEPT_QKV = 128u; // in a layer, after the tokens
const KEPT_MIX = 512u; // what the heads make
const KEPT_X = 640u; // the tokens after attention
const KEPT_H = 768u; // the hidden layer before gelu
const KEPT_LAST = 2304u; // the tokens after the last layer
const P = 2432u; // the probabilities of one layer
const D = 2688u; // and their gradients

struct Params {
    batch: u32,
    layers: u32, // 2
    wide: u32, // 8: a loop of a length that the compiler knows gets long, and a CPU's takes a minute
}

struct Clock {
    step: u32,
    first: u32, // the step's first sample in the order
    rate: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> clock: Clock;
@group(0) @binding(2) var<storage, read> order: array<u32>; // the epoch's samples, shuffled
@group(0) @binding(3) var<storage, read> labels: array<u32>;
@group(0) @binding(4) var<storage, read> x: array<f32>; // batch × 784, normalised
@group(0) @binding(5) var<storage, read> weights: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> kept: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> gradients: array<vec4<f32>>; // batch × ALL
@group(0) @binding(8) var<storage, read_write> losses: array<f32>;

var<workgroup> rows: array<vec4<f32>, 640>;
var<workgroup> scores: array<f32, OUTPUTS>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    forward(group.x, me);
    loss(group.x, me);
    workgroupBarrier();
    storageBarrier(); // others read what an invocation kept
    from_scores(group.x, me);
    for (var layer = params.layers; layer > 0u; layer--) {
        from_layer(group.x, layer - 1u, me);
    }
    from_tokens(group.x, me);
}

// forward makes the ten scores of an image.
fn forward(image: u32, me: u32) {
    let t = me / WIDE; // of two tokens: t and t + 8
    let c = me % WIDE;
    cut(image, me);
    workgroupBarrier();
    // A row of a patch ends with zeros, so the weights after its 49 count for nothing.
    let tokens = product(W, PATCH, params.wide + 5u, 0u, WIDE, t, c);
    rows[X + me] = tokens[0] + weights[TOKENS_B + c] + weights[POSITIONS + me];
    rows[X + me + SIZE] = tokens[1] + weights[TOKENS_B + c] + weights[POSITIONS + me + SIZE];
    workgroupBarrier();

    for (var layer = 0u; layer < params.layers; layer++) {
        let w = LAYER + EACH * layer;
        let own = KEPT * image + KEPT_EACH * layer;
        keep(X, own, WIDE, me);
        normalise(w, me);
        workgroupBarrier();
        for (var column = c; column < HIDDEN; column += WIDE) { // of q, then of k, then of v
            let at = w + QKV + QKV_EACH * (column / WIDE);
            put(product(N, WIDE, params.wide, at, WIDE, t, c), weights[at + 256u + c], HIDDEN * t + column);
        }
        workgroupBarrier();
        keep(W, own + KEPT_QKV, HIDDEN, me);
        attend(me);
        workgroupBarrier();
        keep(N, own + KEPT_MIX, WIDE, me);
        add(product(N, WIDE, params.wide, w + OUT, WIDE, t, c), weights[w + OUT + 256u + c], me);
        workgroupBarrier();

        keep(X, own + KEPT_X, WIDE, me);
        normalise(w + NORM_2, me);
        workgroupBarrier();
        for (var column = c; column < HIDDEN; column += WIDE) {
            put(product(N, WIDE, params.wide, w + UP, HIDDEN, t, column), weights[w + UP + 768u + column], HIDDEN * t + column);
        }
        workgroupBarrier();
        keep(W, own + KEPT_H, HIDDEN, me);
        for (var i = me; i < TOKENS * HIDDEN; i += SIZE) {
            rows[W + i] = gelu(rows[W + i]);
        }
        workgroupBarrier();
        add(product(W, HIDDEN, 3u * params.wide, w + DOWN, WIDE, t, c), weights[w + DOWN + 768u + c], me);
        workgroupBarrier();
    }

    keep(X, KEPT * image + KEPT_LAST, WIDE, me);
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
}

// loss stores how wrong the scores are, and replaces them by their gradients, as in
// train/loss.
fn loss(image: u32, me: u32) {
    let label = labels[order[clock.first + image]];
    var largest = scores[0];
    for (var j = 1u; j < OUTPUTS; j++) {
        largest = max(largest, scores[j]);
    }
    var total = 0.0;
    for (var j = 0u; j < OUTPUTS; j++) {
        total += exp(scores[j] - largest);
    }
    let own = scores[min(me, OUTPUTS - 1u)];
    workgroupBarrier(); // all have read them
    if (me < OUTPUTS) {
        scores[me] = (exp(own - largest) / total - select(0.0, 1.0, me == label)) / f32(params.batch);
        if (me == label) {
            losses[clock.first + image] = log(total) + largest - own;
        }
    }
}

// from_scores goes back to the tokens after the last layer.
fn from_scores(image: u32, me: u32) {
    for (var i = me; i < TOKENS * WIDE * OUTPUTS; i += SIZE) {
        let n = 4u * i + vec4(0u, 1u, 2u, 3u);
        gradients[ALL * image + SCORES / 4u + i] = vec4(slope(n.x), slope(n.y), slope(n.z), slope(n.w));
    }
    if (me < 3u) {
        let j = 4u * me + vec4(0u, 1u, 2u, 3u);
        let d = vec4(scores[j.x], scores[j.y], scores[min(j.z, OUTPUTS - 1u)], scores[min(j.w, OUTPUTS - 1u)]);
        gradients[ALL * image + SCORES_B / 4u + me] = select(d, vec4(0.0), j >= vec4(OUTPUTS));
    }
    workgroupBarrier();
    for (var i = me; i < TOKENS * WIDE; i += SIZE) {
        var d = vec4(0.0);
        let w = SCORES + 4u * OUTPUTS * i;
        for (var j = 0u; j < params.wide + 2u; j++) {
            d += scores[j] * vec4(weight(w + j), weight(w + OUTPUTS + j), weight(w + 2u * OUTPUTS + j), weight(w + 3u * OUTPUTS + j));
        }
        rows[N + i] = d;
        rows[X + i] = vec4(0.0);
    }
    workgroupBarrier();
    from_norm(image, NORM, KEPT_LAST, me);
}

// slope is the gradient of number n of the last layer's weights.
fn slope(n: u32) -> f32 {
    let input = n / OUTPUTS;
    return rows[N + input / 4u][input % 4u] * scores[n % OUTPUTS];
}

// from_layer goes back through a layer.
fn from_layer(image: u32, layer: u32, me: u32) {
    let t = me / WIDE;
    let c = me % WIDE;
    let w = LAYER + EACH * layer;
    let own = KEPT_EACH * layer;

    for (var i = me; i < TOKENS * HIDDEN; i += SIZE) {
        rows[W + i] = gelu(kept[KEPT * image + own + KEPT_H + i]);
    }
    workgroupBarrier();
    gradient(image, W, HIDDEN, HIDDEN, X, WIDE, WIDE, w + DOWN, me);
    workgroupBarrier();
    for (var row = c; row < HIDDEN; row += WIDE) {
        let d = product_back(X, WIDE, params.wide, w + DOWN, WIDE, t, row);
        let h = KEPT * image + own + KEPT_H + HIDDEN * t + row;
        rows[W + HIDDEN * t + row] = d[0] * gelu_slope(kept[h]);
        rows[W + HIDDEN * (t + 8u) + row] = d[1] * gelu_slope(kept[h + 8u * HIDDEN]);
    }
    again(image, w + NORM_2, own + KEPT_X, me);
    workgroupBarrier();
    gradient(image, N, WIDE, WIDE, W, HIDDEN, HIDDEN, w + UP, me);
    workgroupBarrier();
    let to_norm = product_back(W, HIDDEN, 3u * params.wide, w + UP, HIDDEN, t, c);
    rows[N + me] = to_norm[0];
    rows[N + me + SIZE] = to_norm[1];
    workgroupBarrier();
    from_norm(image, w + NORM_2, own + KEPT_X, me);

    for (var i = me; i < TOKENS * WIDE; i += SIZE) {
        rows[N + i] = kept[KEPT * image + own + KEPT_MIX + i];
    }
    for (var i = me; i < TOKENS * HIDDEN; i += SIZE) {
        rows[W + i] = kept[KEPT * image + own + KEPT_QKV + i];
    }
    workgroupBarrier();
    gradient(image, N, WIDE, WIDE, X, WIDE, WIDE, w + OUT, me);
    workgroupBarrier();
    let to_mix = product_back(X, WIDE, params.wide, w + OUT, WIDE, t, c);
    rows[N + me] = to_mix[0];
    rows[N + me + SIZE] = to_mix[1];
    workgroupBarrier();
    from_attention(KEPT * image, me);
    again(image, w, own, me);
    workgroupBarrier();
    for (var part = 0u; part < params.wide / 2u - 1u; part++) { // q, k and v
        gradient(image, N, WIDE, WIDE, W + WIDE * part, HIDDEN, WIDE, w + QKV + QKV_EACH * part, me);
    }
    workgroupBarrier();
    var sums = mat2x4(vec4(0.0), vec4(0.0));
    for (var part = 0u; part < params.wide / 2u - 1u; part++) {
        sums += product_back(W + WIDE * part, HIDDEN, params.wide, w + QKV + QKV_EACH * part, WIDE, t, c);
    }
    rows[N + me] = sums[0];
    rows[N + me + SIZE] = sums[1];
    workgroupBarrier();
    from_norm(image, w, own, me);
}

// from_tokens goes back to the weights that make tokens of patches.
fn from_tokens(image: u32, me: u32) {
    cut(image, me);
    for (var i = me; i < TOKENS * WIDE; i += SIZE) {
        gradients[ALL * image + POSITIONS + i] = rows[X + i];
    }
    workgroupBarrier();
    gradient(image, W, PATCH, PATCH, X, WIDE, WIDE, 0u, me);
}

// from_attention turns W from q, k and v into their gradients. N holds those of the mix.
fn from_attention(own: u32, me: u32) {
    let mine = me % TOKENS; // a row, then a column
    let head = me / TOKENS;
    let q = W + HEAD * head; // of the head's first row
    let n = N + HEAD * head;
    let p = own + P + 4u * me; // my row; the head's first is TOKENS * head
    let d = own + D + 4u * me;
    let q0 = rows[q + HIDDEN * mine];
    let q1 = rows[q + HIDDEN * mine + 1u];
    let n0 = rows[n + WIDE * mine];
    let n1 = rows[n + WIDE * mine + 1u];
    let fours = params.wide / 2u;

    var largest = -3.4e38;
    for (var i = 0u; i < fours; i++) {
        let s = ROOT * four_products(q + 4u * HIDDEN * i + WIDE, q0, q1);
        kept[p + i] = s;
        largest = max(largest, max(max(s.x, s.y), max(s.z, s.w)));
    }
    var total = 0.0;
    var along = 0.0; // Σ p · d, times total
    for (var i = 0u; i < fours; i++) {
        let e = exp(kept[p + i] - largest);
        let slope = four_products(q + 4u * HIDDEN * i + 2u * WIDE, n0, n1);
        kept[p + i] = e;
        kept[d + i] = slope;
        total += dot(e, vec4(1.0));
        along += dot(e, slope);
    }
    var dq0 = vec4(0.0);
    var dq1 = vec4(0.0);
    for (var i = 0u; i < fours; i++) {
        let share = kept[p + i] / total;
        let slope = ROOT * share * (kept[d + i] - along / total);
        kept[p + i] = share;
        kept[d + i] = slope;
        for (var j = 0u; j < fours; j++) {
            let k = q + HIDDEN * (4u * i + j) + WIDE;
            dq0 += slope[j] * rows[k];
            dq1 += slope[j] * rows[k + 1u];
        }
    }
    storageBarrier();

    var dk0 = vec4(0.0);
    var dk1 = vec4(0.0);
    var dv0 = vec4(0.0);
    var dv1 = vec4(0.0);
    for (var row = 0u; row < 2u * params.wide; row++) {
        let at = 4u * (TOKENS * head + row) + mine / 4u;
        let share = kept[own + P + at][mine % 4u];
        let slope = kept[own + D + at][mine % 4u];
        dk0 += slope * rows[q + HIDDEN * row];
        dk1 += slope * rows[q + HIDDEN * row + 1u];
        dv0 += share * rows[n + WIDE * row];
        dv1 += share * rows[n + WIDE * row + 1u];
    }
    storageBarrier(); // the next layer writes P and D again
    workgroupBarrier(); // all have read q, k, v and N
    let at = q + HIDDEN * mine;
    rows[at] = dq0;
    rows[at + 1u] = dq1;
    rows[at + WIDE] = dk0;
    rows[at + WIDE + 1u] = dk1;
    rows[at + 2u * WIDE] = dv0;
    rows[at + 2u * WIDE + 1u] = dv1;
}

// four_products multiplies 8 numbers with those of four rows of W.
fn four_products(at: u32, a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4(
        dot(rows[at], a) + dot(rows[at + 1u], b),
        dot(rows[at + HIDDEN], a) + dot(rows[at + HIDDEN + 1u], b),
        dot(rows[at + 2u * HIDDEN], a) + dot(rows[at + 2u * HIDDEN + 1u], b),
        dot(rows[at + 3u * HIDDEN], a) + dot(rows[at + 3u * HIDDEN + 1u], b),
    );
}

// from_norm goes back through layer-norm: N holds the gradients of what it made of the
// tokens kept at `own`. It adds to X, and changes W.
fn from_norm(image: u32, w: u32, own: u32, me: u32) {
    let start = WIDE * (me / 4u);
    let row = KEPT * image + own + start;
    let norm = norm_of(row);
    var mean = 0.0; // of the gradients
    var along = 0.0; // and of their products with the row
    for (var i = 0u; i < params.wide; i++) {
        let d = rows[N + start + i] * weights[w + i];
        mean += dot(d, vec4(1.0)) / 32.0;
        along += dot(d, (kept[row + i] - norm.x) * norm.y) / 32.0;
    }
    for (var q = me % 4u; q < WIDE; q += 4u) {
        let even = (kept[row + q] - norm.x) * norm.y;
        rows[X + start + q] += norm.y * (rows[N + start + q] * weights[w + q] - mean - even * along);
        rows[W + start + q] = even;
    }
    workgroupBarrier();
    if (me < WIDE) {
        var gain = vec4(0.0);
        var bias = vec4(0.0);
        for (var t = 0u; t < 2u * params.wide; t++) {
            let d = rows[N + WIDE * t + me];
            gain += d * rows[W + WIDE * t + me];
            bias += d;
        }
        gradients[ALL * image + w + me] = gain;
        gradients[ALL * image + w + WIDE + me] = bias;
    }
    workgroupBarrier();
}

// norm_of returns the mean of a kept row, and what it is scaled by.
fn norm_of(row: u32) -> vec2<f32> {
    var total = vec4(0.0);
    for (var i = 0u; i < params.wide; i++) {
        total += kept[row + i];
    }
    let mean = dot(total, vec4(1.0)) / 32.0;
    var square = 0.0;
    for (var i = 0u; i < params.wide; i++) {
        let d = kept[row + i] - mean;
        square += dot(d, d);
    }
    return vec2(mean, inverseSqrt(square / 32.0 + 1e-5));
}

// again makes N, as normalise did, of the tokens kept at `own`.
fn again(image: u32, w: u32, own: u32, me: u32) {
    let start = WIDE * (me / 4u);
    let row = KEPT * image + own + start;
    let norm = norm_of(row);
    for (var q = me % 4u; q < WIDE; q += 4u) {
        rows[N + start + q] = (kept[row + q] - norm.x) * norm.y * weights[w + q] + weights[w + WIDE + q];
    }
}

// gradient makes the gradients of a linear layer's weights, 4 × 4 at a time, and of its
// bias, which follows them. Rows of `length` at `input` went in, and d came back for what
// came out.
fn gradient(image: u32, input: u32, stride: u32, length: u32, d: u32, d_stride: u32, columns: u32, w: u32, me: u32) {
    let inputs = select(4u * length, 49u, length == PATCH);
    let first = ALL * image + w;
    for (var i = me; i < length * columns; i += SIZE) {
        let k = i / columns;
        let c = i % columns;
        var g0 = vec4(0.0);
        var g1 = vec4(0.0);
        var g2 = vec4(0.0);
        var g3 = vec4(0.0);
        var bias = vec4(0.0);
        for (var t = 0u; t < 2u * params.wide; t++) {
            let a = rows[input + stride * t + k];
            let b = rows[d + d_stride * t + c];
            g0 += a.x * b;
            g1 += a.y * b;
            g2 += a.z * b;
            g3 += a.w * b;
            bias += b;
        }
        let at = first + 4u * k * columns + c;
        gradients[at] = g0;
        if (4u * k + 3u < inputs) { // else there is one row left: the last pixel of a patch
            gradients[at + columns] = g1;
            gradients[at + 2u * columns] = g2;
            gradients[at + 3u * columns] = g3;
        }
        if (k == 0u) {
            gradients[first + inputs * columns + c] = bias;
        }
    }
}

// product_back makes 4 numbers of rows t and t + 8: the rows from `start` on times the
// transposed weights, from 4 rows of them.
fn product_back(start: u32, stride: u32, length: u32, w: u32, columns: u32, t: u32, row: u32) -> mat2x4<f32> {
    var sum0 = vec4(0.0);
    var sum1 = vec4(0.0);
    for (var k = 0u; k < length; k++) {
        let a = rows[start + stride * t + k];
        let b = rows[start + stride * (t + 8u) + k];
        let at = w + 4u * row * columns + k;
        let w0 = weights[at];
        let w1 = weights[at + columns];
        let w2 = weights[at + 2u * columns];
        let w3 = weights[at + 3u * columns];
        sum0 += vec4(dot(a, w0), dot(a, w1), dot(a, w2), dot(a, w3));
        sum1 += vec4(dot(b, w0), dot(b, w1), dot(b, w2), dot(b, w3));
    }
    return mat2x4(sum0, sum1);
}

// gelu_slope says how gelu changes with its input.
fn gelu_slope(x: vec4<f32>) -> vec4<f32> {
    let u = 0.79788456 * (x + 0.044715 * x * x * x);
    let share = 1.0 / (1.0 + exp(min(-2.0 * u, vec4(80.0))));
    return share + 2.0 * x * share * (1.0 - share) * 0.79788456 * (1.0 + 0.134145 * x * x);
}

// keep stores rows for the way back.
fn keep(start: u32, at: u32, length: u32, me: u32) {
    for (var i = me; i < TOKENS * length; i += SIZE) {
        kept[at + i] = rows[start + i];
    }
}

// cut makes 16 patches of an image in W. After a patch's 49 pixels follow three zeros.
fn cut(image: u32, me: u32) {
    for (var i = me; i < TOKENS * PATCH; i += SIZE) {
        let token = i / PATCH;
        var four = vec4(0.0);
        for (var j = 0u; j < 4u; j++) {
            let p = 4u * (i % PATCH) + j;
            if (p < 49u) {
                four[j] = x[image * 784u + (7u * (token / 4u) + p / 7u) * 28u + 7u * (token % 4u) + p % 7u];
            }
        }
        rows[W + i] = four;
    }
}

fn weight(i: u32) -> f32 { return weights[i / 4u][i % 4u]; }

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
        let score = (dot(q0, rows[k]) + dot(q1, rows[k + 1u])) * ROOT;
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
