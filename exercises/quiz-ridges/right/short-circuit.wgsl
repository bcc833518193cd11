// goals: coalesced
// way: It stops at the first comparison that decides.
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
    let here = x[at];
    let lower = (id.x > 0u && x[at - 1u] > here) || (id.x + 1u < dims.w && x[at + 1u] > here);
    out[at] = select(here, 0.0, lower);
}
