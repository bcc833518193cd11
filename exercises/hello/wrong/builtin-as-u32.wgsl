// diagnosis: builtin-type
// I need one number, so I ask for one.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) i: u32) {
    if (i < arrayLength(&out)) { out[i] = i; }
}
