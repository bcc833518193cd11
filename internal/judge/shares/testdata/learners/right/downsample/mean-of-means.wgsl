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
    if (any(id.xy >= vec2(params.dst))) { return; }
    let n = params.src / params.dst;
    let corner = id.y * n * params.src + id.x * n;
    var mean = 0.0;
    for (var r = 0u; r < n; r++) {
        var line = 0.0;
        for (var c = n; c > 0u; c--) {
            line += image[corner + r * params.src + c - 1u];
        }
        mean += line / f32(n);
    }
    out[id.y * params.dst + id.x] = mean / f32(n);
}
