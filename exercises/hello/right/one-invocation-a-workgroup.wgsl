@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {

    // One workgroup for each element, so that there are no surplus invocations.
    out[id.x] = id.x;
}
