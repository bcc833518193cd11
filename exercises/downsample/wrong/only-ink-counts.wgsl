// diagnosis: only-ink-counts
// title: Only the pixels above 0 count.
// why: An average divides by the number of all pixels in the block, black ones included. In a block
//   without ink, your count is 0, and 0 / 0 is no number.
// ask: Of four pixels, one is 1 and three are 0. What is their average?
// The background isn't part of the drawing.
struct Params {
    src: u32,
    dst: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.dst || id.y >= params.dst) {
        return;
    }
    let side = params.src / params.dst;
    var total = 0.0;
    var count = 0.0;
    for (var y = 0u; y < side; y++) {
        for (var x = 0u; x < side; x++) {
            let pixel = image[(id.y * side + y) * params.src + id.x * side + x];
            total += pixel;
            count += select(0.0, 1.0, pixel > 0.0);
        }
    }
    out[id.y * params.dst + id.x] = total / count;
}
