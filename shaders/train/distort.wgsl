// train/distort: each time a training image is used, it is a little different.
//
// The shader turns, scales, slants and moves an image, and bends it like rubber,
// each by a random amount: a 3 that leans is still a 3. So the network learns what
// makes a digit, instead of learning the 55,000 images by heart (Simard, Steinkraus
// and Platt, "Best Practices for Convolutional Neural Networks", 2003).
//
// Each workgroup makes one image: first come those of the clock's step, then those
// of the following steps, as many as are dispatched. It works backwards: for each
// pixel of the new image it finds the place in the old one that ends up there, and
// blends the four pixels around that place. To find it, the shader starts from the
// pixel's own place, turns, scales and slants it around the middle of the image,
// and moves it. Then a rubber sheet pushes it: a grid of KNOTS × KNOTS random
// arrows, SPACING pixels apart, blended smoothly by cubic B-splines.
//
// The random numbers depend only on the seed, the step and the image, so you can
// repeat the same training.

const SIDE = 28u;
const PIXELS = 784u;
const KNOTS = 7u;
const ARROWS = 49u; // KNOTS * KNOTS
const SPACING = 7.0;
const SIZE = 64u;

struct Params {
    seed: u32,
    mean: f32, // of the normalised pixels, as in normalize
    stddev: f32,
    turn: f32, // radians, at most, in either direction
    size: f32, // 0.1 makes it up to 10 % larger or smaller, in x and y apart
    slant: f32,
    shift: f32, // pixels, at most, in either direction
    rubber: f32, // pixels, the arrows' standard deviation in x and in y
    batch: u32, // images in a step
}

struct Clock {
    step: u32,
    first: u32,
    rate: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> clock: Clock;
@group(0) @binding(2) var<storage, read> order: array<u32>; // the epoch's samples, shuffled
@group(0) @binding(3) var<storage, read> images: array<u32>; // 4 bytes per word, lowest first
@group(0) @binding(4) var<storage, read_write> out: array<f32>; // normalised

var<workgroup> arrows: array<vec2<f32>, ARROWS>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let image = order[clock.first + group.x];
    let step = clock.step + group.x / params.batch;
    let key = hash(params.seed ^ hash(step ^ hash(image)));

    for (var i = local.x; i < ARROWS; i += SIZE) {
        arrows[i] = params.rubber * vec2(bell(key, 100u + 8u * i), bell(key, 104u + 8u * i));
    }
    workgroupBarrier();

    let turn = params.turn * random(key, 0u);
    let width = 1.0 + params.size * random(key, 1u);
    let height = 1.0 + params.size * random(key, 2u);
    let slant = params.slant * random(key, 3u);
    let shift = params.shift * vec2(random(key, 4u), random(key, 5u));
    let rotate = mat2x2(cos(turn), sin(turn), -sin(turn), cos(turn));
    let stretch = mat2x2(width, 0.0, slant, height);
    let affine = rotate * stretch;
    let middle = vec2(0.5 * f32(SIDE - 1u));

    for (var i = local.x; i < PIXELS; i += SIZE) {
        let pixel = vec2(f32(i % SIDE), f32(i / SIDE));
        let place = affine * (pixel - middle) + middle + shift + push(pixel);
        out[group.x * PIXELS + i] = (blend(image, place) / 255.0 - params.mean) / params.stddev;
    }
}

// push says how far the rubber sheet moves a pixel.
fn push(pixel: vec2<f32>) -> vec2<f32> {
    let cell = floor(pixel / SPACING);
    let x = spline(pixel.x / SPACING - cell.x);
    let y = spline(pixel.y / SPACING - cell.y);
    var total = vec2(0.0);
    for (var row = 0u; row < 4u; row++) {
        let at = (u32(cell.y) + row) * KNOTS + u32(cell.x);
        total += y[row] * (x[0] * arrows[at] + x[1] * arrows[at + 1u] + x[2] * arrows[at + 2u] + x[3] * arrows[at + 3u]);
    }
    return total;
}

// spline gives the weights of the four nearest knots, at t in 0..1 between the
// middle two: the uniform cubic B-spline.
fn spline(t: f32) -> vec4<f32> {
    let s = 1.0 - t;
    return vec4(
        s * s * s,
        3.0 * t * t * t - 6.0 * t * t + 4.0,
        3.0 * s * s * s - 6.0 * s * s + 4.0,
        t * t * t,
    ) / 6.0;
}

// blend reads the image between its pixels.
fn blend(image: u32, place: vec2<f32>) -> f32 {
    let corner = floor(place);
    let t = place - corner;
    let x = i32(corner.x);
    let y = i32(corner.y);
    let top = mix(byte_at(image, x, y), byte_at(image, x + 1, y), t.x);
    let bottom = mix(byte_at(image, x, y + 1), byte_at(image, x + 1, y + 1), t.x);
    return mix(top, bottom, t.y);
}

// byte_at reads a pixel of the image; outside it is black.
fn byte_at(image: u32, x: i32, y: i32) -> f32 {
    if (x < 0 || y < 0 || x >= i32(SIDE) || y >= i32(SIDE)) {
        return 0.0;
    }
    let i = image * PIXELS + u32(y) * SIDE + u32(x);
    return f32((images[i / 4u] >> (8u * (i % 4u))) & 0xffu);
}

// random gives number i of key's sequence, in -1..1.
fn random(key: u32, i: u32) -> f32 {
    return f32(hash(key + i) >> 8u) / 8388608.0 - 1.0;
}

// bell makes a random number with mean 0 and standard deviation 1 from numbers i
// to i + 3. Their sum is close to a bell curve, without far outliers.
fn bell(key: u32, i: u32) -> f32 {
    let total = random(key, i) + random(key, i + 1u) + random(key, i + 2u) + random(key, i + 3u);
    return total * 0.8660254; // each has the variance 1/3
}

// hash scatters a number over all 32 bits (Jarzynski and Olano, "Hash Functions
// for GPU Rendering", 2020: pcg).
fn hash(v: u32) -> u32 {
    let state = v * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}
