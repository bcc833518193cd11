// goals: coalesced
// The sums of the subgroups go through a tree. Places without a subgroup hold 0.
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
) {
    let me = local.x;
    var value = 0.0;
    if (id.x < arrayLength(&x)) {
        value = x[id.x];
    }
    let sum = subgroupAdd(value);
    if (subgroupElect()) {
        parts[subgroup] = sum;
    }
    for (var half = SIZE / 8u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            parts[me] += parts[me + half];
        }
    }
    workgroupBarrier();
    if (me == 0u) {
        out[group.x] = parts[0];
    }
}
