// diagnosis: offset-128
// title: 128 was added to every number.
// why: A signed byte needs no offset: -1 is 256 - 1 = 255. So 0 stays 0.
// ask: Which byte is the number 0?
// Bytes have no sign, so 0 is in the middle.
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
        let q = i32(round(x[i * 4u + j] / scale)) + 128;
        word |= (u32(q) & 0xffu) << (8u * j);
    }
    out[i] = word;
}
