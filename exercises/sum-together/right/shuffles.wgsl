// goals: coalesced; few barriers
// way: A tree with subgroupShuffleXor instead of subgroupAdd. Each step brings the partner's sum, and
//   needs neither memory nor a barrier.
// The partner's lane differs in one bit.
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> parts: array<f32, SIZE / 4u>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) count: u32,
    @builtin(subgroup_size) size: u32,
) {
    var sum = 0.0;
    if (id.x < arrayLength(&x)) {
        sum = x[id.x];
    }
    for (var step = 1u; step < size; step *= 2u) {
        sum += subgroupShuffleXor(sum, step);
    }
    if (subgroupElect()) {
        parts[subgroup] = sum;
    }
    workgroupBarrier();
    if (local.x == 0u) {
        var total = 0.0;
        for (var k = 0u; k < count; k++) {
            total += parts[k];
        }
        out[group.x] = total;
    }
}
