// diagnosis: only-one-before
// title: Each sum includes only one of the subgroups before.
// why: A place in workgroup memory holds the sum of one subgroup. Subgroup 2 needs two of them, those
//   of subgroups 0 and 1.
// ask: How many sums does subgroup 5 need?
// Before my subgroup is the one before.
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> totals: array<u32, SIZE / 4u>;

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
    let total = subgroupAdd(own);
    if (lane == 0u) {
        totals[subgroup] = total;
    }
    var before = subgroupExclusiveAdd(own);
    workgroupBarrier();
    if (subgroup > 0u) {
        before += totals[subgroup - 1u];
    }
    if (i < arrayLength(&out)) {
        out[i] = before;
    }
}
