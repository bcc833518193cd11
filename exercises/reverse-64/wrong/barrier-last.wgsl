// diagnosis: missing-barrier
// At the end, all wait for the others.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> kept: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let i = group.x * SIZE + me;
    kept[me] = data[i];
    data[i] = kept[SIZE - 1u - me];
    workgroupBarrier();
}
