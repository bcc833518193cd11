// diagnosis: serial-reduction
// title: The values are right, but one invocation adds up each block alone.
// why: The other 255 are idle. A subgroup adds its elements in one call of subgroupAdd, and the
//   workgroup only has to add these few sums.
// ask: Which element could each invocation bring to its subgroup?
// A loop over the block.
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    if (local.x == 0u) {
        var sum = 0.0;
        for (var i = group.x * SIZE; i < min(group.x * SIZE + SIZE, arrayLength(&x)); i++) {
            sum += x[i];
        }
        out[group.x] = sum;
    }
}
