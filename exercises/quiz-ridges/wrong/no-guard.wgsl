// diagnosis: missing-column-guard
// Only the rows can run out.
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
    if (id.y >= dims.h) {
        return;
    }
    let at = id.y * dims.w + id.x;
    var largest = x[at];
    if (id.x > 0u) {
        largest = max(largest, x[at - 1u]);
    }
    if (id.x + 1u < dims.w) {
        largest = max(largest, x[at + 1u]);
    }
    out[at] = select(0.0, x[at], x[at] == largest);
}
