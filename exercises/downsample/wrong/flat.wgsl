// diagnosis: flat-index
// title: Only the first elements were written.
// why: You use id.x as the number of the element. But the host dispatches in two dimensions: x
//   covers the columns and y the rows. So id.x goes only as far as the columns need.
// ask: Which row and which column belong to the invocation with id = (3, 2)?
// id.x numbers all pixels.
struct Params {
    src: u32,
    dst: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.dst * params.dst) {
        return;
    }
    let side = params.src / params.dst;
    let column = id.x % params.dst;
    let row = id.x / params.dst;
    var total = 0.0;
    for (var y = 0u; y < side; y++) {
        for (var x = 0u; x < side; x++) {
            total += image[(row * side + y) * params.src + column * side + x];
        }
    }
    out[id.x] = total / f32(side * side);
}
