// goals: coalesced
// way: At the end of a row, it compares the number with itself.
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
    let left = x[at - min(id.x, 1u)];
    let right = x[at + min(dims.w - 1u - id.x, 1u)];
    var kept = 0.0;
    if (x[at] >= left && x[at] >= right) {
        kept = x[at];
    }
    out[at] = kept;
}
