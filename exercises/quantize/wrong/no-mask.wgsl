// diagnosis: no-mask
// title: The sign of a number covers the bytes above it.
// why: As an i32, -1 has all 32 bits set, not only 8. Without a mask, the upper 24 cover the
//   other bytes of the word. They are the sign extension.
// ask: Which bits does u32(-1) have? How many of them may go into the word?
// Bytes next to each other.
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
    for (var j = 0u; j < 4u; j++) {
        let q = i32(round(x[i * 4u + j] / scale));
        word |= u32(q) << (8u * j);
    }
    out[i] = word;
}
