// diagnosis: counted-by-each
// title: The sum of each subgroup was added many times.
// why: subgroupAdd gives the same sum to every invocation of a subgroup. Your shader adds it once
//   for each of them.
// ask: After subgroupAdd, how many invocations hold the same number? How often should it count?
// Every invocation stores what it got.
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> parts: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    var value = 0.0;
    if (id.x < arrayLength(&x)) {
        value = x[id.x];
    }
    parts[local.x] = subgroupAdd(value);
    workgroupBarrier();
    if (local.x == 0u) {
        var total = 0.0;
        for (var k = 0u; k < SIZE; k++) {
            total += parts[k];
        }
        out[group.x] = total;
    }
}
