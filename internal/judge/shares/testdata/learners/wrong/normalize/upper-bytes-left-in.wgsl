struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

fn byte_of(word: u32, index: u32) -> u32 {
    var rest = word;
    for (var j = 0u; j < index; j += 1u) {
        rest = rest >> 8u;
    }
    return rest;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < params.n) {
        let b = byte_of(pixels[id.x / 4u], id.x % 4u);
        out[id.x] = (f32(b) / 255.0 - params.mean) / params.stddev;
    }
}
