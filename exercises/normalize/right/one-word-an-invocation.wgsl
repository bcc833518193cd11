// goals: none
// way: One invocation unpacks a whole word, four pixels. So each word is read once, not four times.
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // One invocation unpacks a whole word: four pixels, or what is left of them.
    if (id.x >= (params.n + 3u) / 4u) {
        return;
    }
    var word = pixels[id.x];
    for (var k = 0u; k < 4u; k++) {
        let i = 4u * id.x + k;
        if (i < params.n) {
            out[i] = (f32(word & 255u) / 255.0 - params.mean) / params.stddev;
        }
        word >>= 8u;
    }
}
