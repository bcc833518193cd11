// fused/write: one workgroup writes letters, one after the other, without the host.
//
// Each letter goes through the whole network: the row of the table, four layers, and the
// scores of all letters, of which it draws the next. All that belongs to one letter stays
// in workgroup memory. The keys and values of the letters so far are in a cache in the
// device's memory, which only this workgroup reads and writes.
//
// Time goes into reading 455,000 weights for each letter, so they are halves, and an
// invocation fetches 8 at once: those of 8 neighbouring outputs for one input. The
// invocations share the inputs of a layer; adding up their sums is a second step. The
// cache holds halves as well. Loops fetch what several turns need before they use it: the
// memory takes hundreds of cycles to answer.
//
// The host gives some letters of the text. After the last of them, each letter is the one
// that was drawn.

const SIZE = 256u;
const HEADS = 4u;
const FOURS = 6u; // vec4s in a head
const WIDE = 24u; // vec4s in a row: 96 / 4
const PARTS = 10u; // invocations that mix a vec4: 256 / 24
const AHEAD = 4u; // turns of a loop whose fetches begin together

// Where a letter's numbers begin in workgroup memory.
const X = 0u; // the sum over the layers
const N = 96u; // after layer-norm
const Q = 192u; // the query, then what the heads mix
const H = 288u; // the hidden layer; the scores; shared sums

// Where weights begin: matrices in vec4s of 8 halves, the others in numbers. A matrix has
// a row for each input, with a group of 8 halves for each 8 outputs.
const TABLE_GROUPS = 10u; // 80 / 8: the letters, and zeros
const LAYERS_AT = 960u; // after the table: 96 rows of 10 groups
const LAYER = 13824u; // of one layer
const QKV = 0u; // in a layer: 96 rows of 36 groups, for q, k and v beside each other
const OUT = 3456u;
const UP = 4608u;
const DOWN = 9216u;
const VECTORS = 1248u; // numbers of one layer, in this order:
const NORM_1 = 0u; // gain and bias
const QKV_B = 192u;
const OUT_B = 480u;
const NORM_2 = 576u;
const UP_B = 768u;
const DOWN_B = 1152u;

struct Params {
    letters: u32, // of the alphabet
    width: u32, // 96: a loop of a length that the compiler knows gets long
    hidden: u32,
    layers: u32,
    room: u32, // positions in the cache
}

struct Asked {
    first: u32, // position of the first letter that goes through the network
    given: u32, // letters from there on that are given
    drawn: u32, // letters to draw
    temperature: f32,
    words: array<u32>, // the given letters, then a random number from 0 to 1 for each drawn one
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> matrices: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> vectors: array<f32>;
@group(0) @binding(3) var<storage, read> asked: Asked;
@group(0) @binding(4) var<storage, read_write> cache: array<vec2<u32>>; // layer, position, key and value
@group(0) @binding(5) var<storage, read_write> shares: array<f32>; // position × HEADS, of one layer
@group(0) @binding(6) var<storage, read_write> text: array<u32>; // the drawn letters
@group(0) @binding(7) var<storage, read_write> scores: array<f32>; // after the last letter

var<workgroup> row: array<f32, 672>;
var<workgroup> partial: array<vec4<f32>, 504>;
var<workgroup> shared_sums: array<f32, SIZE>;
var<workgroup> moments: array<vec2<f32>, WIDE>; // of each 4 numbers of X: their mean, and their squared distances from it
var<workgroup> letter: u32;

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) me: u32) {
    if (me == 0u) {
        letter = asked.words[0];
    }
    for (var turn = 0u; turn + 1u < asked.given + asked.drawn; turn++) {
        let newest = workgroupUniformLoad(&letter);
        if (me < WIDE) {
            put_x(me, vec4(entry(newest, 4u * me), entry(newest, 4u * me + 1u), entry(newest, 4u * me + 2u), entry(newest, 4u * me + 3u)));
        }
        workgroupBarrier();
        for (var layer = 0u; layer < params.layers; layer++) {
            attention(layer, asked.first + turn, me);
            hidden_layer(layer, me);
        }
        if (turn + 1u < asked.given) {
            if (me == 0u) {
                letter = asked.words[turn + 1u];
            }
        } else {
            draw(turn + 1u - asked.given, me);
        }
        workgroupBarrier();
    }
}

// entry is number j of a letter's row of the table, which is a column here.
fn entry(which: u32, j: u32) -> f32 {
    let words = matrices[j * TABLE_GROUPS + which / 8u];
    return unpack2x16float(words[which % 8u / 2u])[which % 2u];
}

// attention adds to X what a layer's heads make of the letters so far.
fn attention(layer: u32, position: u32, me: u32) {
    let w = LAYERS_AT + LAYER * layer;
    let b = VECTORS * layer;
    let keys = layer * params.room * 2u * WIDE; // where the layer's cache begins
    normalise(b + NORM_1, me);
    workgroupBarrier();
    products(N, params.width, w + QKV, 36u, me);
    workgroupBarrier();
    if (me < 3u * WIDE) {
        let sum = total(36u, me) + bias(b + QKV_B, me);
        if (me < WIDE) {
            put(Q, me, sum);
        } else {
            cache[keys + position * 2u * WIDE + me - WIDE] = vec2(pack2x16float(sum.xy), pack2x16float(sum.zw));
        }
    }
    workgroupBarrier();
    storageBarrier(); // the newest key and value are in the cache

    // Scores: an invocation has one head, and every 64th letter.
    let head = me % HEADS;
    let slope = exp2(-8.0 * f32(head + 1u) / f32(HEADS));
    let root = inverseSqrt(f32(4u * FOURS));
    var largest = -3.4e38;
    for (var other = me / HEADS; other <= position; other += SIZE / HEADS) {
        let key = keys + other * 2u * WIDE + head * FOURS;
        var score = 0.0;
        for (var i = 0u; i < FOURS; i++) {
            score += dot(four(Q, head * FOURS + i), halves(cache[key + i]));
        }
        score = score * root - slope * f32(position - other);
        shares[other * HEADS + head] = score;
        largest = max(largest, score);
    }
    shared_sums[me] = largest;
    workgroupBarrier();
    for (var i = head; i < SIZE; i += HEADS) {
        largest = max(largest, shared_sums[i]);
    }
    workgroupBarrier();
    var sum = 0.0;
    for (var other = me / HEADS; other <= position; other += SIZE / HEADS) {
        let share = exp(shares[other * HEADS + head] - largest);
        shares[other * HEADS + head] = share;
        sum += share;
    }
    shared_sums[me] = sum;
    workgroupBarrier();
    storageBarrier(); // all shares are there

    // The mix: 10 invocations for each 4 numbers, each with every 10th letter.
    let column = me % WIDE;
    if (me < PARTS * WIDE) {
        var mixed = vec4(0.0);
        for (var first = me / WIDE; first <= position; first += AHEAD * PARTS) {
            var weights: array<f32, AHEAD>;
            var values: array<vec2<u32>, AHEAD>;
            for (var i = 0u; i < AHEAD; i++) {
                let other = min(first + i * PARTS, position);
                weights[i] = shares[other * HEADS + column / FOURS];
                values[i] = cache[keys + (other * 2u + 1u) * WIDE + column];
            }
            for (var i = 0u; i < AHEAD; i++) {
                mixed += select(0.0, weights[i], first + i * PARTS <= position) * halves(values[i]);
            }
        }
        partial[me] = mixed;
    }
    workgroupBarrier();
    if (me < WIDE) {
        var mixed = vec4(0.0);
        for (var i = 0u; i < PARTS; i++) {
            mixed += partial[i * WIDE + me];
        }
        var all = 0.0;
        for (var i = me / FOURS; i < SIZE; i += HEADS) {
            all += shared_sums[i];
        }
        put(Q, me, mixed / all);
    }
    workgroupBarrier();
    products(Q, params.width, w + OUT, 12u, me);
    workgroupBarrier();
    if (me < WIDE) {
        put_x(me, four(X, me) + total(12u, me) + bias(b + OUT_B, me));
    }
    workgroupBarrier();
}

// hidden_layer adds to X what a layer's hidden layer makes of it.
fn hidden_layer(layer: u32, me: u32) {
    let w = LAYERS_AT + LAYER * layer;
    let b = VECTORS * layer;
    normalise(b + NORM_2, me);
    workgroupBarrier();
    products(N, params.width, w + UP, 48u, me);
    workgroupBarrier();
    if (me < 4u * WIDE) {
        put(H, me, gelu(total(48u, me) + bias(b + UP_B, me)));
    }
    workgroupBarrier();
    products(H, params.hidden, w + DOWN, 12u, me);
    workgroupBarrier();
    if (me < WIDE) {
        put_x(me, four(X, me) + total(12u, me) + bias(b + DOWN_B, me));
    }
    workgroupBarrier();
}

// draw makes the scores of all letters, and draws the next letter, as in sample.
fn draw(which: u32, me: u32) {
    normalise(VECTORS * params.layers, me);
    workgroupBarrier();
    products(N, params.width, 0u, TABLE_GROUPS, me);
    workgroupBarrier();
    if (me < 2u * TABLE_GROUPS) {
        put(H, me, total(TABLE_GROUPS, me));
    }
    workgroupBarrier();
    var largest = -3.4e38;
    for (var i = 0u; i < params.letters; i++) {
        largest = max(largest, row[H + i]);
    }
    if (me < params.letters) {
        scores[me] = row[H + me];
        shared_sums[me] = exp((row[H + me] - largest) / asked.temperature);
    }
    workgroupBarrier();
    var before = 0.0;
    var all = 0.0;
    for (var i = 0u; i < params.letters; i++) {
        before += select(0.0, shared_sums[i], i < me);
        all += shared_sums[i];
    }
    let point = bitcast<f32>(asked.words[asked.given + which]) * all;
    if (me < params.letters && before <= point && (point < before + shared_sums[me] || me + 1u == params.letters)) {
        letter = me;
        text[which] = me;
    }
}

// products makes parts of the sums of a layer: the inputs from x on times the matrix from w
// on. groups are the outputs, in 8s.
fn products(x: u32, inputs: u32, w: u32, groups: u32, me: u32) {
    let parts = SIZE / groups;
    let part = me / groups;
    if (part >= parts) {
        return;
    }
    var low = vec4(0.0);
    var high = vec4(0.0);
    for (var first = part; first < inputs; first += AHEAD * parts) {
        var words: array<vec4<u32>, AHEAD>;
        for (var i = 0u; i < AHEAD; i++) {
            words[i] = matrices[w + min(first + i * parts, inputs - 1u) * groups + me % groups];
        }
        for (var i = 0u; i < AHEAD; i++) {
            let input = first + i * parts;
            let value = select(0.0, row[x + min(input, inputs - 1u)], input < inputs);
            low += value * halves(words[i].xy);
            high += value * halves(words[i].zw);
        }
    }
    partial[2u * me] = low;
    partial[2u * me + 1u] = high;
}

// total adds up the parts of 4 outputs.
fn total(groups: u32, column: u32) -> vec4<f32> {
    var sum = vec4(0.0);
    for (var part = 0u; part < SIZE / groups; part++) {
        sum += partial[part * 2u * groups + column];
    }
    return sum;
}

fn four(start: u32, column: u32) -> vec4<f32> {
    let at = start + 4u * column;
    return vec4(row[at], row[at + 1u], row[at + 2u], row[at + 3u]);
}

fn put(start: u32, column: u32, values: vec4<f32>) {
    for (var i = 0u; i < 4u; i++) {
        row[start + 4u * column + i] = values[i];
    }
}

fn bias(start: u32, column: u32) -> vec4<f32> {
    let at = start + 4u * column;
    return vec4(vectors[at], vectors[at + 1u], vectors[at + 2u], vectors[at + 3u]);
}

// put_x puts 4 numbers in X, and keeps what normalise needs of them.
fn put_x(column: u32, values: vec4<f32>) {
    put(X, column, values);
    let mean = dot(values, vec4(0.25));
    let distance = values - mean;
    moments[column] = vec2(mean, dot(distance, distance));
}

// normalise makes N of X. Every invocation finds the mean and the scale for itself.
fn normalise(at: u32, me: u32) {
    var mean = 0.0;
    for (var i = 0u; i < WIDE; i++) {
        mean += moments[i].x / f32(WIDE);
    }
    var square = 0.0;
    for (var i = 0u; i < WIDE; i++) {
        let distance = moments[i].x - mean;
        square += moments[i].y + 4.0 * distance * distance;
    }
    let scale = inverseSqrt(square / f32(params.width) + 1e-5);
    if (me < params.width) {
        row[N + me] = (row[X + me] - mean) * scale * vectors[at + me] + vectors[at + params.width + me];
    }
}

fn halves(words: vec2<u32>) -> vec4<f32> { return vec4(unpack2x16float(words.x), unpack2x16float(words.y)); }

// gelu by its formula with tanh (Hendrycks and Gimpel, "Gaussian Error Linear Units",
// 2016), of which (1 + tanh(u)) / 2 is 1 / (1 + exp(-2u)).
fn gelu(x: vec4<f32>) -> vec4<f32> {
    let u = 0.79788456 * (x + 0.044715 * x * x * x);
    return x / (1.0 + exp(min(-2.0 * u, vec4(80.0))));
}
