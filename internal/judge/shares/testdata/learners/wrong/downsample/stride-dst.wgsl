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
    let block = params.src / params.dst;
    let ox = id.x;
    let oy = id.y;
    if (ox < params.dst) {
        if (oy < params.dst) {
            var acc = 0.0;
            for (var i = 0u; i < block * block; i++) {
                let yy = oy * block + i / block;
                let xx = ox * block + i % block;
                acc += image[yy * params.dst + xx];
            }
            out[oy * params.dst + ox] = acc / f32(block * block);
        }
    }
}
