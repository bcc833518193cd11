// diagnosis: centre
// title: Each pixel is the centre of its block, not the average.
// why: Only one pixel of the block reached the output. A thin line that misses the centres
//   disappears.
// ask: How many pixels of image should count towards one pixel of out?
// The middle of a block speaks for it.
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
        let x = id.x * side + side / 2u;
        let y = id.y * side + side / 2u;
        out[id.y * params.dst + id.x] = image[y * params.src + x];
    }
}
