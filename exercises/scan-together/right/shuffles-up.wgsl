// goals: coalesced; few barriers
// Doubling steps with subgroupShuffleUp: each brings the sum from step lanes before.
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
    var sum = own;
    for (var step = 1u; step < size; step *= 2u) {
        let other = subgroupShuffleUp(sum, step);
        sum += select(0u, other, lane >= step);
    }
    if (lane == size - 1u) {
        totals[subgroup] = sum;
    }
    workgroupBarrier();
    var before = sum - own;
    for (var k = 0u; k < subgroup; k++) {
        before += totals[k];
    }
    if (i < arrayLength(&out)) {
        out[i] = before;
    }
}
