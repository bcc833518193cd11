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
    if (id.x < params.dst && id.y < params.dst) {
        let block = params.src / params.dst;
        let left = id.x * block;
        let top = id.y * block;
        var sum = 0.0;
        for (var y = top; y <= top + block; y += 1u) {
            for (var x = left; x <= left + block; x += 1u) {
                sum += image[y * params.src + x];
            }
        }
        out[id.y * params.dst + id.x] = sum / f32(block * block);
    }
}
