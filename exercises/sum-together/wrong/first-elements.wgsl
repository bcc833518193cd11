// diagnosis: first-elements
// title: Only one element of each subgroup was added.
// why: What your shader stores for a subgroup holds only the element of the invocation that stores
//   it.
// ask: Which values are in the number that a subgroup stores? Which function brings in the others?
// One of each subgroup has the value.
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
    if (subgroupElect()) {
        parts[subgroup] = value;
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
