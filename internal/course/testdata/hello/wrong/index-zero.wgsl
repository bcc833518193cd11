// diagnosis: first-only
// The shader writes the output, and the host calls it for each element.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    out[0] = 0u;
}
