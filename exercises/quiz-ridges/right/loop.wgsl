// goals: coalesced
// way: A loop goes over the columns that exist.
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
    let first = max(id.x, 1u) - 1u;
    let last = min(id.x + 1u, dims.w - 1u);
    var stays = true;
    for (var c = first; c <= last; c++) {
        stays = stays && x[id.y * dims.w + c] <= x[at];
    }
    out[at] = f32(stays) * x[at];
}
