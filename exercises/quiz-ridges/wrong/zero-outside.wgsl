// diagnosis: zero-outside
// title: Negative numbers at the ends of the rows became 0.
// why: A missing neighbour counted as 0, and 0 is larger than any negative number.
// ask: Which number could a missing neighbour be, so that it never wins?
// Outside is 0.
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
    var left = 0.0;
    var right = 0.0;
    if (id.x > 0u) {
        left = x[at - 1u];
    }
    if (id.x + 1u < dims.w) {
        right = x[at + 1u];
    }
    out[at] = select(0.0, x[at], x[at] >= max(left, right));
}
