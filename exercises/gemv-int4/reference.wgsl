// gemv-int4: one row times a matrix whose weights have 4 bits, in groups of 32 that share a scale.
//
// A workgroup makes one output. Its invocations take the words of the row in turn, so that
// neighbours read neighbouring words. Each word brings eight weights of the same group: four in
// the low bits of its bytes, and four, 16 inputs later, in the high bits. All eight have the same
// scale, so it multiplies their sum once. A tree adds the sums of the invocations.

const SIZE = 64u;

struct Dims {
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<u32>;
@group(0) @binding(3) var<storage, read> scales: array<u32>;
@group(0) @binding(4) var<storage, read> bias: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

// marks returns the low 4 bits of each byte of a word, as the numbers from -8 to 7 that they are.
fn marks(word: u32) -> vec4<f32> {
    let bits = (vec4<u32>(word) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(15u);
    return vec4<f32>(bits) - 8.0;
}

// inputs returns four numbers of x.
fn inputs(j: u32) -> vec4<f32> {
    return vec4<f32>(x[j], x[j + 1u], x[j + 2u], x[j + 3u]);
}

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let output = group.x;
    let words = dims.k / 8u;
    var mine = 0.0;
    for (var i = me; i < words; i += SIZE) {
        let at = output * words + i;
        let word = w[at];
        let j = i / 4u * 32u + i % 4u * 4u; // the input of the word's lowest weight
        let sum = dot(marks(word), inputs(j)) + dot(marks(word >> 4u), inputs(j + 16u));
        let scale = at / 4u; // four words have one scale, and a word of scales has two
        mine += sum * unpack2x16float(scales[scale / 2u])[scale % 2u];
    }
    partial[me] = mine;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            partial[me] += partial[me + half];
        }
    }
    if (me == 0u) {
        out[output] = partial[0] + bias[output];
    }
}
