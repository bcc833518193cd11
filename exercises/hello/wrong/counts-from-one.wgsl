// diagnosis: off-by-one
// title: Every value is one too large: the count starts at 1.
// why: Indices start at 0, as in Go.
// ask: What should out[0] hold?
// Counting starts at 1.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&out)) {
        out[id.x] = id.x + 1u;
    }
}
