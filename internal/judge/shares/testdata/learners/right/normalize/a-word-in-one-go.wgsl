// one invocation takes a whole word; the others have nothing to do
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(100)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= (params.n + 3u) / 4u) {
        return;
    }
    var word = pixels[id.x];
    for (var i = 4u * id.x; i < min(4u * id.x + 4u, params.n); i += 1u) {
        let share = f32(word % 256u) / 255.0;
        out[i] = (share - params.mean) / params.stddev;
        word /= 256u;
    }
}
