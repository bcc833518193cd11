// diagnosis: accumulated
// title: The result was added to the old contents of the output.
// why: `+=` reads the old value first, and an output buffer holds whatever was left in its memory.
//   The check fills it with NaN or an old number on purpose. NaN plus anything is NaN.
// ask: Do you want to add to the output or replace its value?
// The output starts at zero, so the shares can be collected there.
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

    for (var y = 0u; y < side; y++) {
        for (var x = 0u; x < side; x++) {
            out[id.y * params.dst + id.x] += image[(id.y * side + y) * params.src + id.x * side + x] / f32(side * side);
        }
    }
}
