// diagnosis: one-of-four
// title: Only the first of the four numbers is in the word.
// why: A word has room for four bytes; yours has one.
// ask: Which numbers of x belong in word 0?
// The word of number i.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> scales: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= arrayLength(&out)) {
        return;
    }
    let scale = scales[i * 4u / dims.cols];
    var word = 0u;
    for (var j = 0u; j < 1u; j++) {
        let q = i32(round(x[i * 4u + j] / scale));
        word |= (u32(q) & 0xffu) << (8u * j);
    }
    out[i] = word;
}
