// reverse-64: in place, every block of 64 elements back to front; one workgroup takes one block
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

var<workgroup> mirror: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let start = SIZE * group.x;
    mirror[local.x ^ 63u] = data[start + local.x];
    workgroupBarrier();
    data[start + local.x] = mirror[local.x];
}
