// linear-int8: out = x * w + bias, as linear, with x (m × k) and w in signed bytes, four to
// a word. w holds a row of k weights for each of the n neurons, so that the words of both run
// along k. Every row of x and of w has a scale.
//
// All terms of an element have the same two scales. So the sum is one of whole numbers,
// exact in an i32, and the scales come in once, at its end. dot4I8Packed would multiply and
// add four pairs in one instruction, and unpack4xI8 unpack them, but not every compiler has
// them yet.

struct Dims {
    m: u32,
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<u32>;
@group(0) @binding(2) var<storage, read> x_scales: array<f32>;
@group(0) @binding(3) var<storage, read> w: array<u32>;
@group(0) @binding(4) var<storage, read> w_scales: array<f32>;
@group(0) @binding(5) var<storage, read> bias: array<f32>;
@group(0) @binding(6) var<storage, read_write> out: array<f32>;

// four_bytes returns the four bytes of a word, the lowest first. Each is shifted to the top, and
// back as an i32, which fills up with copies of the sign bit.
fn four_bytes(word: u32) -> vec4<i32> {
    return vec4<i32>(vec4<u32>(word) << vec4<u32>(24u, 16u, 8u, 0u)) >> vec4<u32>(24u);
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let column = id.x;
    let row = id.y;
    if (column >= dims.n || row >= dims.m) {
        return;
    }
    let words = dims.k / 4u;
    var total = 0;
    for (var i = 0u; i < words; i++) {
        total += dot(four_bytes(x[row * words + i]), four_bytes(w[column * words + i]));
    }
    out[row * dims.n + column] = f32(total) * (x_scales[row] * w_scales[column]) + bias[column];
}
