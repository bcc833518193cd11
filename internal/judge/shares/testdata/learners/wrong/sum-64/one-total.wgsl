// sum-64: out[b] is the sum of block b of x, 64 elements; one workgroup takes one block
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> total: f32;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let value = x[group.x * SIZE + local.x];
    total += value;
    workgroupBarrier();
    if (local.x == 0u) {
        out[group.x] = total;
    }
}
