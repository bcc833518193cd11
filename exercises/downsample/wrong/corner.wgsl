// diagnosis: corner
// title: Each pixel is the corner of its block, not the average.
// why: Only the top left pixel of the block reached the output. A thin line that misses the corners
//   disappears.
// ask: How many pixels of image should count towards one pixel of out?
// A small picture takes every n-th pixel.
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
        out[id.y * params.dst + id.x] = image[id.y * side * params.src + id.x * side];
    }
}
