// diagnosis: first-subgroup
// title: The output holds the sum of a single subgroup.
// why: subgroupAdd adds the values of one subgroup. A workgroup of 256 invocations has several, and
//   the sums of the others never reached the output.
// ask: How does the sum of another subgroup reach the invocation that writes out?
// subgroupAdd adds the whole workgroup.
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    var value = 0.0;
    if (id.x < arrayLength(&x)) {
        value = x[id.x];
    }
    let sum = subgroupAdd(value);
    if (local.x == 0u) {
        out[group.x] = sum;
    }
}
