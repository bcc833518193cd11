// quantize: four numbers of x, divided by the scale of their row and rounded, become four signed bytes in a word
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
    let p = id.x * 4u;
    let total = dims.rows * dims.cols;
    if (p >= total) {
        return;
    }
    let s = scales[p / dims.cols];
    var w = 0u;
    for (var j = 4u; j > 0u; j--) {
        let mark = i32(round(x[p + j - 1u] * s));
        w |= (bitcast<u32>(mark) & 255u) << (8u * (j - 1u));
    }
    out[id.x] = w;
}
