// diagnosis: first-block-only
// title: All blocks get the sums of the first one.
// why: The place begins again at 0 in each workgroup, so each one reads the same 256 elements.
// ask: Which number tells the elements of different blocks apart?
// The place in the block is the element.
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
    let at = subgroup * size + lane;
    let i = group.x * SIZE + at;
    var own = 0u;
    if (at < arrayLength(&x)) {
        own = x[at];
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
