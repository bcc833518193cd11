// diagnosis: blocks-overlap
// title: The blocks overlap: each begins one pixel after the previous one.
// why: Your shader lets the block of pixel (x, y) begin at (x, y) of image. But the next block
//   begins a whole block further on.
// ask: With blocks of 5 × 5, where in image does the block of pixel (1, 0) begin?
// The block starts at the pixel.
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
    for (var y = 0u; y < side; y++) {
        for (var x = 0u; x < side; x++) {
            total += image[(id.y + y) * params.src + id.x + x];
        }
    }
    out[id.y * params.dst + id.x] = total / f32(side * side);
}
