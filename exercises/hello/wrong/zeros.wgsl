// diagnosis: constant
// title: Every element is 0.
// why: Each invocation reached its own element, but wrote the same value as all the others.
// ask: Which number tells this invocation apart from all the others?
// First get every element written at all.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&out)) {
        out[id.x] = 0u;
    }
}
