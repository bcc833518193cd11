// diagnosis: local-id
// title: Only the first workgroup's corner of the output was written.
// why: local_invocation_id starts again at (0, 0) in every workgroup. So all workgroups worked on
//   the same corner at the top left, and none on the rest.
// ask: Which builtin keeps counting from one workgroup to the next, in x and in y?
// The id inside the workgroup is the pixel.
struct Params {
    src: u32,
    dst: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    if (id.x >= params.dst || id.y >= params.dst) {
        return;
    }
    let side = params.src / params.dst;
    var total = 0.0;
    for (var y = 0u; y < side; y++) {
        for (var x = 0u; x < side; x++) {
            total += image[(id.y * side + y) * params.src + id.x * side + x];
        }
    }
    out[id.y * params.dst + id.x] = total / f32(side * side);
}
