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
        let side = params.src / params.dst;
        var sum: f32;
        for (var j = 0u; j < side; j += 1u) {
            sum = 0.0;
            let line = (id.y * side + j) * params.src + id.x * side;
            for (var i = 0u; i < side; i += 1u) {
                sum += image[line + i];
            }
        }
        out[id.y * params.dst + id.x] = sum / f32(side * side);
    }
}
