// diagnosis: no-workgroup-memory
// The barrier makes them wait, so data can be read first and written after it.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let start = group.x * SIZE;
    let other = data[start + SIZE - 1u - me];
    workgroupBarrier();
    data[start + me] = other;
}
