// downsample: each pixel of out (dst × dst) is the average of its block of image (src × src)
struct Params {
    src: u32,
    dst: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

const BLOCK = 10u;

@compute @workgroup_size(4, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = id.x;
    let y = id.y;
    if (x >= params.dst || y >= params.dst) {
        return;
    }
    var sum = 0.0;
    for (var j = 0u; j < BLOCK; j += 1u) {
        for (var i = 0u; i < BLOCK; i += 1u) {
            sum += image[(y * BLOCK + j) * params.src + x * BLOCK + i];
        }
    }
    out[y * params.dst + x] = sum / f32(BLOCK * BLOCK);
}
