// scan-together: out[i] is the sum of the elements before x[i] in its block of 256
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    // The builtins of subgroups that you need go here.
) {
    // Your lines go here, and above main what the workgroup shares.
}
