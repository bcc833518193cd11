// downsample: a large square image becomes a small one.
//
// src is a multiple of dst, so each pixel of out covers a square block of
// src/dst × src/dst pixels of image. One invocation makes one pixel of out, which
// is the average of its block.

struct Params {
    src: u32, // side of image
    dst: u32, // side of out
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8, 8)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    if (id.x >= params.dst || id.y >= params.dst) {
        return;
    }
    let side = params.src / params.dst;
    var total = 0.0;
    for (var y = 0u; y < side; y++) {
        for (var x = 0u; x < side; x++) {
            total += image[(id.y * side + y) * params.src + id.x * side + x];
        }
    }
    out[id.y * params.dst + id.x] = total / f32(side * side);
}
