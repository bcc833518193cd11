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
    let n = params.src / params.dst;
    if (id.x < params.dst && id.y < params.dst) {
        var s = 0.0;
        for (var y = 0u; y < n; y++) {
            for (var x = 0u; x + 1u < n; x++) {
                s += image[(n * id.y + y) * params.src + n * id.x + x];
            }
        }
        out[id.y * params.dst + id.x] = s;
    }
}
