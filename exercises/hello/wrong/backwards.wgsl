// diagnosis: reversed
// title: The values run backwards.
// why: Each element holds its distance from the end of the array instead of from the start.
// ask: What should out[0] hold, and what should out[1] hold?
// The last one comes first.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = arrayLength(&out);
    if (id.x < n) {
        out[id.x] = n - 1u - id.x;
    }
}
