// quantize: x (rows × cols) becomes signed bytes, four to a word. Each number is divided
// by the scale of its row, so it is between -127 and 127, and rounded to the nearest
// whole number. cols is a multiple of 4.
//
// One invocation makes one word. A negative number has its upper 24 bits set; only the
// lowest 8 may go into the word, or they would cover its neighbours.

struct Dims {
    rows: u32,
    cols: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> scales: array<f32>; // one for each row
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= dims.rows * dims.cols / 4u) {
        return;
    }
    let first = 4u * id.x;
    let scale = scales[first / dims.cols];
    var word = 0u;
    for (var i = 0u; i < 4u; i++) {
        let q = i32(round(x[first + i] / scale));
        word |= (u32(q) & 0xffu) << (8u * i);
    }
    out[id.x] = word;
}
