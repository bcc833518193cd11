// diagnosis: wrong-axis
// title: The numbers were compared with those above and below.
// why: A neighbour in the same row is one place away in memory. You looked at the same column of other rows.
// ask: How far from x[at] is its right neighbour?
// Neighbours are all around.
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
    var largest = x[at];
    if (id.y > 0u) {
        largest = max(largest, x[at - dims.w]);
    }
    if (id.y + 1u < dims.h) {
        largest = max(largest, x[at + dims.w]);
    }
    out[at] = select(0.0, x[at], x[at] == largest);
}
