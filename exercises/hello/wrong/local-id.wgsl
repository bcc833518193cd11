// diagnosis: local-id
// title: Each workgroup counts from zero again, and all of them wrote to the same first elements.
// why: local_invocation_id is an invocation's number inside its own workgroup. With several
//   workgroups, each number comes up once in each of them. So the elements after the first
//   workgroup's size stay unwritten.
// ask: Which builtin numbers the invocations of the whole dispatch?
// local_invocation_id is my number.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&out)) {
        out[id.x] = id.x;
    }
}
