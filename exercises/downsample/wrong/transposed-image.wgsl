// diagnosis: transposed
// title: The picture is mirrored along its diagonal: x and y are swapped.
// why: Row-major means row * width + column, that is, y * width + x. In one of the two pictures you
//   have it the other way round.
// ask: In out and in image, which of y and x do you multiply by the width?
// image is read as image[x][y].
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
            total += image[(id.x * side + x) * params.src + id.y * side + y];
        }
    }
    out[id.y * params.dst + id.x] = total / f32(side * side);
}
