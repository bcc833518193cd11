// sum-together: out[b] is the sum of block b of x, 256 elements each.
//
// One workgroup works on one block, and each invocation takes one element. A subgroup adds its
// elements in one call: subgroupAdd gives their sum to all its invocations, without workgroup
// memory and without a barrier. One invocation of each subgroup writes this sum to workgroup
// memory. After the only barrier, invocation 0 adds these few sums.
//
// Past the end of x an invocation adds 0. It must not return, because all invocations of a
// subgroup call subgroupAdd together.

enable subgroups;

const SIZE = 256u;
const MOST = SIZE / 4u; // subgroups in a workgroup: the smallest have 4 invocations

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> parts: array<f32, MOST>; // the sum of each subgroup

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
