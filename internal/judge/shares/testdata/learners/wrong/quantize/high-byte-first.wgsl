// quantize: four numbers of x, divided by the scale of their row and rounded, become four signed bytes in a word
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> scales: array<f32>; // one for each row
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

fn byte_of(v: f32, scale: f32) -> u32 {
    return u32(i32(round(v / scale))) & 0xffu;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= arrayLength(&out)) { return; }
    let s = scales[4u * i / dims.cols];
    var w = 0u;
    for (var j = 0u; j < 4u; j++) {
        w = (w << 8u) | byte_of(x[4u * i + j], s);
    }
    out[i] = w;
}
