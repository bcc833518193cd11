// scan-together: out[i] is the sum of the elements before x[i] in its block of 256.
//
// subgroupExclusiveAdd adds the values of the lanes before. So the order of lanes must be the order
// of elements: lane 0 of subgroup 0 takes the first element of the block, and lane 0 of the next
// subgroup the one after the last lane's. The local index can't tell this place, because WGSL
// doesn't say which invocations form a subgroup.
//
// Each subgroup writes its sum to workgroup memory. After the barrier an invocation adds the sums
// of the subgroups before its own.

enable subgroups;

const SIZE = 256u; // a multiple of every subgroup size, so we take all subgroups as full
const MOST = SIZE / 4u; // subgroups in a workgroup: the smallest have 4 invocations

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> totals: array<u32, MOST>; // the sum of each subgroup

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
    for (var k = 0u; k < subgroup; k++) {
        before += totals[k];
    }
    if (i < arrayLength(&out)) {
        out[i] = before;
    }
}
