// diagnosis: local-id
// local_invocation_index is a single number: just what an index is.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(128)
fn main(@builtin(local_invocation_index) i: u32) {
    if (i < arrayLength(&out)) {
        out[i] = i;
    }
}
