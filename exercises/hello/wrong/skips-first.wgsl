// diagnosis: first-missing
// title: Element 0 was never written.
// why: Indices start at 0, as in Go, and so do the numbers of the invocations. Something shifted
//   invocation 0 to another element or held it back.
// ask: Which element does invocation 0 write to?
// Invocation 0 is the host.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x > 0u && id.x < arrayLength(&out)) {
        out[id.x] = id.x;
    }
}
