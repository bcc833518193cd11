// diagnosis: access-mode
// The host gives the buffer, so it is a uniform; I must only write to it.
@group(0) @binding(0) var<storage, write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    out[id.x] = id.x;
}
