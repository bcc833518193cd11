// reverse-64: every block of 64 elements of data, back to front, in place.
//
// One workgroup works on one block. Each invocation puts one element into workgroup
// memory and waits until all 64 are there. Only then does it overwrite its element
// with the one from the mirrored place: nothing that somebody still needs gets lost.

const SIZE = 64u;

@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> block: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let mine = group.x * SIZE + me;
    block[me] = data[mine];
    workgroupBarrier(); // all of them have stored
    data[mine] = block[SIZE - 1u - me];
}
