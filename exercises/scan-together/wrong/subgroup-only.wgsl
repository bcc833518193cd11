// diagnosis: subgroup-only
// title: The sums begin again at 0 in each subgroup.
// why: subgroupExclusiveAdd adds the lanes before, in the same subgroup. The elements of the
//   subgroups before are missing.
// ask: What does lane 0 of subgroup 1 get, and what should it get?
// subgroupExclusiveAdd scans the block.
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_size) size: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let i = group.x * SIZE + subgroup * size + lane;
    var own = 0u;
    if (i < arrayLength(&x)) {
        own = x[i];
    }
    let before = subgroupExclusiveAdd(own);
    if (i < arrayLength(&out)) {
        out[i] = before;
    }
}
