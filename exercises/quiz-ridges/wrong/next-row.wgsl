// diagnosis: next-row
// title: The ends of the rows were compared with other rows.
// why: In memory, the last number of a row is beside the first number of the next one. They are not neighbours in the picture.
// ask: With w = 4, which numbers are beside x[4] in its row?
// Neighbours in memory.
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
    if (at > 0u) {
        largest = max(largest, x[at - 1u]);
    }
    if (at + 1u < dims.w * dims.h) {
        largest = max(largest, x[at + 1u]);
    }
    out[at] = select(0.0, x[at], x[at] == largest);
}
