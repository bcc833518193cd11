// goals: coalesced; few barriers
// way: Subgroup 0 scans the sums of all subgroups. Then each invocation adds a single number.
// Small subgroups leave more sums than they have lanes: the next round starts with what came before.
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
    @builtin(num_subgroups) count: u32,
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
    if (subgroup == 0u) {
        var start = 0u;
        for (var first = 0u; first < count; first += size) {
            var some = 0u;
            if (first + lane < count) {
                some = totals[first + lane];
            }
            let sum = start + subgroupExclusiveAdd(some);
            if (first + lane < count) {
                totals[first + lane] = sum;
            }
            start += subgroupAdd(some);
        }
    }
    workgroupBarrier();
    before += totals[subgroup];
    if (i < arrayLength(&out)) {
        out[i] = before;
    }
}
