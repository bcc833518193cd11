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
    if (id.x >= params.dst || id.y >= params.dst) { return; }
    let n = params.src / params.dst;
    var total = 0.0;
    for (var r = id.y; r < id.y + n; r++) {
        for (var c = id.x; c < id.x + n; c++) {
            total += image[r * params.src + c];
        }
    }
    out[id.y * params.dst + id.x] = total / f32(n * n);
}
