// sum-together: out[b] is the sum of block b of x, 256 elements; one workgroup takes one block
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    // The builtins of subgroups that you need go here.
) {
    // Your lines go here, and above main what the workgroup shares.
}
