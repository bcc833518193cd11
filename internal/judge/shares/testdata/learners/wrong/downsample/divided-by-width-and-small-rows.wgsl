// downsample: each pixel of out (dst × dst) is the average of its block of image (src × src)
struct Params {
    src: u32,
    dst: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let col = id.x;
    let row = id.y;
    if (col >= params.dst || row >= params.dst) {
        return;
    }
    let block = params.src / params.dst;
    var sum = 0.0;
    for (var r = 0u; r < block; r += 1u) {
        let line = (row * block + r) * params.dst;
        for (var c = 0u; c < block; c += 1u) {
            sum += image[line + col * block + c];
        }
    }
    out[row * params.dst + col] = sum / f32(block);
}
