// diagnosis: half-below-zero
// title: Negative numbers were rounded the wrong way.
// why: i32 cuts off the fraction. Adding 0.5 before it rounds numbers above 0, but -2.9 becomes -2.4, and then -2.
// ask: What does your line turn -2.9 into?
// Adding 0.5 rounds.
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
        let q = i32(x[i * 4u + j] / scale + 0.5);
        word |= (u32(q) & 0xffu) << (8u * j);
    }
    out[i] = word;
}
