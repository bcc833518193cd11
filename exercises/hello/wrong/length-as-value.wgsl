// diagnosis: length-everywhere
// title: Every element holds the length of the array.
// why: arrayLength is the same for all invocations. It belongs in the guard. The value to write is
//   the invocation's own number.
// ask: Which number tells this invocation apart from all the others?
// arrayLength tells me which element I am.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&out)) {
        out[id.x] = arrayLength(&out);
    }
}
