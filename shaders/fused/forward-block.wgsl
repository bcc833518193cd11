// fused/forward-block: ROWS images go through the whole network in one workgroup.
//
// fused/forward fetches all weights for each image. Here ROWS images share them.
// The first layer is a matrix product, computed in tiles of DEPTH pixels as in
// fast/block, with 8 images × 4 neurons per invocation. Its results stay in
// workgroup memory, where the second layer and softmax work on them.
//
// Each pixel is fetched once, 112 bytes of an image in a row: the pixels may be in
// the host's memory, where small fetches are slow.

const INPUTS = 784u;
const HIDDEN = 128u;
const OUTPUTS = 10u;
const ROWS = 32u;
const DEPTH = 16u; // pixels in a tile, 4 words of 4
const TILES = 7u; // per strip: the pixels of all images that are fetched together
const STRIPS = 7u; // INPUTS / DEPTH / TILES
const FETCHES = 224u; // ROWS * TILES, of 16 pixels each: two per invocation
const SIZE = 128u;
const QUADS = 32u; // HIDDEN / 4
const STRIDE = 132u; // of a row of hidden; HIDDEN + 4, so that rows start in different banks
const PARTS = 4u; // of the second layer's sums

struct Params {
    images: u32,
    mean: f32,
    stddev: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<vec4<u32>>; // 16 bytes each, 4 a word, lowest first
@group(0) @binding(2) var<storage, read> w1: array<vec4<f32>>; // 784 × 128
@group(0) @binding(3) var<storage, read> b1: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> w2: array<f32>; // 128 × 10
@group(0) @binding(5) var<storage, read> b2: array<f32>;
@group(0) @binding(6) var<storage, read_write> out: array<f32>; // 10 probabilities per image

var<workgroup> strip: array<array<vec4<u32>, TILES>, ROWS>;
var<workgroup> x_tile: array<array<array<vec4<f32>, 4>, 2>, DEPTH>; // [pixel][half of the block][4 images]
var<workgroup> w_tile: array<array<vec4<f32>, QUADS>, DEPTH>; // [pixel][4 neurons]
var<workgroup> hidden: array<f32, 4224>; // ROWS * STRIDE

// The sums of an invocation: 4 neurons of each of 8 images.
struct Sums {
    image0: vec4<f32>,
    image1: vec4<f32>,
    image2: vec4<f32>,
    image3: vec4<f32>,
    image4: vec4<f32>,
    image5: vec4<f32>,
    image6: vec4<f32>,
    image7: vec4<f32>,
}

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) id: u32) {
    let first = group.x * ROWS;
    let last = params.images - 1u; // images past the last repeat it, and are not stored
    let quad = id % QUADS;
    let rows = id / QUADS; // 4 of the block's first 16 images, and 4 of its last

    // All invocations fetch the strips, and 4 rows of w1. Invocations 0 to 31 turn strips
    // into tiles, a word of 4 images each.
    let one = vec2(id / TILES, id % TILES); // image, 16 pixels of it
    let second = min(id + SIZE, FETCHES - 1u); // fetching the same pixels again costs nothing
    let other = vec2(second / TILES, second % TILES);
    let from_one = min(first + one.x, last) * (TILES * STRIPS) + one.y;
    let from_other = min(first + other.x, last) * (TILES * STRIPS) + other.y;
    let word = id % 4u;
    let four = id / 4u % 8u;
    var next_one = pixels[from_one];
    var next_other = pixels[from_other];
    var w0 = w1[rows * QUADS + quad];
    var w4 = w1[(rows + 4u) * QUADS + quad];
    var w8 = w1[(rows + 8u) * QUADS + quad];
    var w12 = w1[(rows + 12u) * QUADS + quad];

    let bias = b1[quad];
    var sums = Sums(bias, bias, bias, bias, bias, bias, bias, bias);
    for (var begun = 0u; begun < STRIPS; begun++) {
        strip[one.x][one.y] = next_one;
        if (id + SIZE < FETCHES) {
            strip[other.x][other.y] = next_other;
        }
        if (begun + 1u < STRIPS) { // the next strip arrives while this one is used
            next_one = pixels[from_one + (begun + 1u) * TILES];
            next_other = pixels[from_other + (begun + 1u) * TILES];
        }
        workgroupBarrier(); // the strip is complete

        for (var tile = 0u; tile < TILES; tile++) {
            let start = (begun * TILES + tile) * DEPTH;
            if (id < 32u) {
                let p0 = normalised(strip[4u * four][tile][word]);
                let p1 = normalised(strip[4u * four + 1u][tile][word]);
                let p2 = normalised(strip[4u * four + 2u][tile][word]);
                let p3 = normalised(strip[4u * four + 3u][tile][word]);
                x_tile[4u * word][four / 4u][four % 4u] = vec4(p0.x, p1.x, p2.x, p3.x);
                x_tile[4u * word + 1u][four / 4u][four % 4u] = vec4(p0.y, p1.y, p2.y, p3.y);
                x_tile[4u * word + 2u][four / 4u][four % 4u] = vec4(p0.z, p1.z, p2.z, p3.z);
                x_tile[4u * word + 3u][four / 4u][four % 4u] = vec4(p0.w, p1.w, p2.w, p3.w);
            }
            w_tile[rows][quad] = w0;
            w_tile[rows + 4u][quad] = w4;
            w_tile[rows + 8u][quad] = w8;
            w_tile[rows + 12u][quad] = w12;
            workgroupBarrier(); // the tiles are complete

            if (start + DEPTH < INPUTS) { // the next tile arrives while this one is used
                let at = (start + DEPTH + rows) * QUADS + quad;
                w0 = w1[at];
                w4 = w1[at + 4u * QUADS];
                w8 = w1[at + 8u * QUADS];
                w12 = w1[at + 12u * QUADS];
            }
            step(&sums, 0u, rows, quad);
            step(&sums, 1u, rows, quad);
            step(&sums, 2u, rows, quad);
            step(&sums, 3u, rows, quad);
            step(&sums, 4u, rows, quad);
            step(&sums, 5u, rows, quad);
            step(&sums, 6u, rows, quad);
            step(&sums, 7u, rows, quad);
            step(&sums, 8u, rows, quad);
            step(&sums, 9u, rows, quad);
            step(&sums, 10u, rows, quad);
            step(&sums, 11u, rows, quad);
            step(&sums, 12u, rows, quad);
            step(&sums, 13u, rows, quad);
            step(&sums, 14u, rows, quad);
            step(&sums, 15u, rows, quad);
            workgroupBarrier(); // all invocations are done with them
        }
    }
    keep(4u * rows, quad, sums.image0);
    keep(4u * rows + 1u, quad, sums.image1);
    keep(4u * rows + 2u, quad, sums.image2);
    keep(4u * rows + 3u, quad, sums.image3);
    keep(16u + 4u * rows, quad, sums.image4);
    keep(16u + 4u * rows + 1u, quad, sums.image5);
    keep(16u + 4u * rows + 2u, quad, sums.image6);
    keep(16u + 4u * rows + 3u, quad, sums.image7);
    workgroupBarrier();

    // The second layer: each invocation adds up a part of an image's ten scores.
    let image = id / PARTS;
    let part = id % PARTS;
    var scores: array<f32, OUTPUTS>;
    for (var i = part; i < HIDDEN; i += PARTS) {
        let value = hidden[image * STRIDE + i];
        for (var j = 0u; j < OUTPUTS; j++) {
            scores[j] += value * w2[i * OUTPUTS + j];
        }
    }
    workgroupBarrier(); // all of hidden has been read, so the parts can replace it
    for (var j = 0u; j < OUTPUTS; j++) {
        hidden[image * STRIDE + part * OUTPUTS + j] = scores[j];
    }
    workgroupBarrier();

    if (id < ROWS && first + id <= last) {
        softmax(id, (first + id) * OUTPUTS);
    }
}

// step takes one step along a tile, with 3 reads and 32 products. It is called 16 times
// with a constant step number, so the compiler works out the indices.
fn step(sums: ptr<function, Sums>, k: u32, rows: u32, quad: u32) {
    let upper = x_tile[k][0][rows];
    let lower = x_tile[k][1][rows];
    let w = w_tile[k][quad];
    (*sums).image0 += upper.x * w;
    (*sums).image1 += upper.y * w;
    (*sums).image2 += upper.z * w;
    (*sums).image3 += upper.w * w;
    (*sums).image4 += lower.x * w;
    (*sums).image5 += lower.y * w;
    (*sums).image6 += lower.z * w;
    (*sums).image7 += lower.w * w;
}

fn normalised(word: u32) -> vec4<f32> {
    return (unpack4x8unorm(word) - params.mean) / params.stddev;
}

// keep stores an image's 4 hidden neurons, after relu.
fn keep(image: u32, quad: u32, values: vec4<f32>) {
    let at = image * STRIDE + 4u * quad;
    hidden[at] = max(values.x, 0.0);
    hidden[at + 1u] = max(values.y, 0.0);
    hidden[at + 2u] = max(values.z, 0.0);
    hidden[at + 3u] = max(values.w, 0.0);
}

fn softmax(image: u32, at: u32) {
    var scores: array<f32, OUTPUTS>;
    var largest = -3.4e38;
    for (var j = 0u; j < OUTPUTS; j++) {
        scores[j] = b2[j];
        for (var part = 0u; part < PARTS; part++) {
            scores[j] += hidden[image * STRIDE + part * OUTPUTS + j];
        }
        largest = max(largest, scores[j]);
    }
    var total = 0.0;
    for (var j = 0u; j < OUTPUTS; j++) {
        scores[j] = exp(scores[j] - largest);
        total += scores[j];
    }
    for (var j = 0u; j < OUTPUTS; j++) {
        out[at + j] = scores[j] / total;
    }
}
