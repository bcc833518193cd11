// goals: coalesced; few barriers
// way: The first subgroup adds the sums with subgroupAdd as well. Small subgroups leave more sums than
//   they have invocations, so each invocation first adds several.
// The whole subgroup takes the same if.
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> parts: array<f32, SIZE / 4u>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_size) size: u32,
    @builtin(num_subgroups) count: u32,
) {
    var value = 0.0;
    if (id.x < arrayLength(&x)) {
        value = x[id.x];
    }
    let sum = subgroupAdd(value);
    if (subgroupElect()) {
        parts[subgroup] = sum;
    }
    workgroupBarrier();
    if (subgroup == 0u) {
        var several = 0.0;
        for (var k = lane; k < count; k += size) {
            several += parts[k];
        }
        let total = subgroupAdd(several);
        if (lane == 0u) {
            out[group.x] = total;
        }
    }
}
