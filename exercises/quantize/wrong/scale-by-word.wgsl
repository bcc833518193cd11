// diagnosis: scale-by-word
// title: Each word was divided by a scale of its own, not by that of its row.
// why: A row has cols / 4 words, and all of them have the same scale.
// ask: With 20 columns, which row does word 7 belong to?
// Word i has scale i.
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
    let scale = scales[min(i, dims.rows - 1u)];
    var word = 0u;
    for (var j = 0u; j < 4u; j++) {
        let q = i32(round(x[i * 4u + j] / scale));
        word |= (u32(q) & 0xffu) << (8u * j);
    }
    out[i] = word;
}
