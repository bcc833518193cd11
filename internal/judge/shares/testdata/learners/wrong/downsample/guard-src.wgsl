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
    let side = params.src / params.dst;
    let col = id.x;
    let row = id.y;
    if (col >= params.src || row >= params.src) {
        return;
    }
    var ink = 0.0;
    for (var y = row * side; y < (row + 1u) * side; y++) {
        for (var x = col * side; x < (col + 1u) * side; x++) {
            ink += image[y * params.src + x];
        }
    }
    out[row * params.dst + col] = ink / f32(side * side);
}
