// diagnosis: blocks-swapped
// title: The blocks changed places.
// why: A block stays where it is. Only the elements within it are mirrored.
// ask: With two blocks, in which one should element 0 end up?
// The last workgroup is mirrored as well.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> kept: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let i = group.x * SIZE + me;
    kept[me] = data[i];
    workgroupBarrier();
    let last = arrayLength(&data) / SIZE - 1u - group.x;
    data[last * SIZE + me] = kept[SIZE - 1u - me];
}
