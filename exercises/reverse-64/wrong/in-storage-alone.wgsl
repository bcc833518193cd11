// diagnosis: race
// data has everything.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let start = group.x * SIZE;
    data[start + me] = data[start + SIZE - 1u - me];
}
