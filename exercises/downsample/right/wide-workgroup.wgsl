// goals: reads each pixel once
// One row of 64 in each workgroup; the share of each pixel is added.
struct Params {
    src: u32,
    dst: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let size = params.dst;
    if (id.x < size && id.y < size) {
        let side = params.src / size;
        let share = 1.0 / f32(side * side);
        var average = 0.0;
        var i = id.y * side * params.src + id.x * side;
        for (var row = 0u; row < side; row++) {
            for (var column = 0u; column < side; column++) {
                average = fma(share, image[i + column], average);
            }
            i += params.src;
        }
        out[id.y * size + id.x] = average;
    }
}
