// stretch-64: in place, x becomes (x - lowest) / (highest - lowest) of its block of 64; one workgroup takes one block
const SIZE = 64u;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    // Your lines go here, and above main what the workgroup shares.
}
