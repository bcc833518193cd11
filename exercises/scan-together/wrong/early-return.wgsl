// diagnosis: divergent-barrier
// Nothing to do past the end.
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
    if (i >= arrayLength(&x)) {
        return;
    }
    let own = x[i];
    let total = subgroupAdd(own);
    if (lane == 0u) {
        totals[subgroup] = total;
    }
    var before = subgroupExclusiveAdd(own);
    workgroupBarrier();
    for (var k = 0u; k < subgroup; k++) {
        before += totals[k];
    }
    out[i] = before;
}
