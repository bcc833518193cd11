// diagnosis: first-only
// title: Only out[0] was written.
// why: Every invocation runs the same code. With a fixed index, all of them write to the same
//   element and none to the others. In a one-dimensional dispatch, id.y and id.z are fixed as well:
//   always 0.
// ask: How can the same line of code write to a different element in each invocation?
// The shader writes the output, and the host calls it for each element.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    out[0] = 0u;
}
