// One row times a matrix whose weights are signed bytes, in groups of 32 with one scale. It is the
// reference of gemv-int4 with bytes, to compare the two: eight words are a group, and each word
// holds four weights, the first in its lowest byte.

const SIZE = 64u;

struct Dims {
    n: u32,
    k: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<u32>;
@group(0) @binding(3) var<storage, read> scales: array<u32>; // two halves in each
@group(0) @binding(4) var<storage, read> bias: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let output = group.x;
    let words = dims.k / 4u;
    var mine = 0.0;
    for (var i = me; i < words; i += SIZE) {
        let at = output * words + i;
        let bytes = vec4<i32>(vec4<u32>(w[at]) << vec4<u32>(24u, 16u, 8u, 0u)) >> vec4<u32>(24u);
        let j = 4u * i;
        let sum = dot(vec4<f32>(bytes), vec4<f32>(x[j], x[j + 1u], x[j + 2u], x[j + 3u]));
        let scale = at / 8u;
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
