// diagnosis: workgroup-start
// title: Only the first element of each workgroup's share was written.
// why: The workgroup's number times its size is where its share begins. That is the same for all of
//   its invocations: their position inside the workgroup is still missing.
// ask: What do you have to add to the start of the share?
// Workgroup times 64 is my index.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
    let i = group.x * SIZE;
    if (i < arrayLength(&out)) {
        out[i] = i;
    }
}
