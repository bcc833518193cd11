// goals: coalesced; few barriers
// way: The subgroups first count their invocations. So the place is right even on a device where a
//   subgroup isn't full.
// Counts and sums go the same way; invocations past the end of x count as well.
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> totals: array<u32, SIZE / 4u>;

var<workgroup> counts: array<u32, SIZE / 4u>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let present = subgroupAdd(1u);
    if (lane == 0u) {
        counts[subgroup] = present;
    }
    workgroupBarrier();
    var i = group.x * SIZE + subgroupExclusiveAdd(1u);
    for (var k = 0u; k < subgroup; k++) {
        i += counts[k];
    }
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
    for (var k = 0u; k < subgroup; k++) {
        before += totals[k];
    }
    if (i < arrayLength(&out)) {
        out[i] = before;
    }
}
