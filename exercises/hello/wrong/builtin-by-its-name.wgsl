// diagnosis: missing-builtin
// global_invocation_id is a global variable.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main() {
    out[global_invocation_id.x] = global_invocation_id.x;
}
