@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // nothing to do behind the end of the array
    if (id.x > arrayLength(&out)) {
        return;
    }
    out[id.x] = id.x;
}
