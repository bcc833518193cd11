// diagnosis: guard-off-by-one
// The index may go up to the length.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i <= arrayLength(&out)) {
        out[i] = i;
    }
}
