// diagnosis: equal-lost
// title: Equal neighbours became 0.
// why: Your comparison asks for more than both neighbours. At least as much is enough.
// ask: In 3, 3, 1, which numbers should stay?
// A ridge is higher.
struct Dims {
    w: u32,
    h: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
) {
    if (id.x >= dims.w || id.y >= dims.h) {
        return;
    }
    let at = id.y * dims.w + id.x;
    var stays = true;
    if (id.x > 0u) {
        stays = x[at] > x[at - 1u];
    }
    if (id.x + 1u < dims.w) {
        stays = stays && x[at] > x[at + 1u];
    }
    out[at] = select(0.0, x[at], stays);
}
