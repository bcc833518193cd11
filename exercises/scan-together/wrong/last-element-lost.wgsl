// diagnosis: last-element-lost
// title: The last element of each subgroup is missing from the sums of later ones.
// why: The exclusive sum of the last lane holds what comes before it, but not its own element.
// ask: How many elements does the exclusive sum of the last lane add?
// The last lane has the sum of its subgroup.
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
    var before = subgroupExclusiveAdd(own);
    if (lane == size - 1u) {
        totals[subgroup] = before;
    }
    workgroupBarrier();
    for (var k = 0u; k < subgroup; k++) {
        before += totals[k];
    }
    if (i < arrayLength(&out)) {
        out[i] = before;
    }
}
