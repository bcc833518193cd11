// goals: coalesced; few barriers
// way: 64 invocations add four elements each before they call subgroupAdd. That leaves fewer subgroups,
//   and so fewer sums to add at the end.
// In each round, neighbours read neighbouring elements.
enable subgroups;

const SIZE = 64u; // invocations
const BLOCK = 256u; // elements
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> parts: array<f32, SIZE / 4u>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) count: u32,
) {
    var value = 0.0;
    for (var k = 0u; k < 4u; k++) {
        let i = group.x * BLOCK + k * SIZE + local.x;
        if (i < arrayLength(&x)) {
            value += x[i];
        }
    }
    let sum = subgroupAdd(value);
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
