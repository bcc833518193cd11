// diagnosis: largest
// title: The output holds the largest element of each block.
// why: The elements were compared, but they should be added.
// ask: Which subgroup function gives 12 for 3, 4 and 5?
// Every subgroup function combines values.
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
) {
    var value = 0.0;
    if (id.x < arrayLength(&x)) {
        value = x[id.x];
    }
    let sum = subgroupMax(value);
    if (subgroupElect()) {
        parts[subgroup] = sum;
    }
    workgroupBarrier();
    if (local.x == 0u) {
        var total = 0.0;
        for (var k = 0u; k < count; k++) {
            total = max(total, parts[k]);
        }
        out[group.x] = total;
    }
}
