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
    let x = id.x;
    let y = id.y;
    if (x >= params.dst || y >= params.dst) {
        return;
    }
    let size = params.src / params.dst;
    var average = image[y * size * params.src + x * size];
    for (var j = 0u; j < size; j++) {
        for (var i = 0u; i < size; i++) {
            let pixel = image[(y * size + j) * params.src + x * size + i];
            average = (average + pixel) / 2.0;
        }
    }
    out[y * params.dst + x] = average;
}
