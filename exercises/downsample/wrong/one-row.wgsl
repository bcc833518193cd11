// diagnosis: one-row-of-block
// title: Only one row of each block was counted.
// why: There is only one loop, along the row. A block has as many rows as columns.
// ask: How many loops does it take to visit a square?
// The block is a row of pixels.
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
    for (var y = 0u; y < 1u; y++) {
        for (var x = 0u; x < side; x++) {
            total += image[(id.y * side + y) * params.src + id.x * side + x];
        }
    }
    out[id.y * params.dst + id.x] = total / f32(side * side);
}
