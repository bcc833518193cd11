// diagnosis: other-subgroups
// Subgroups cut the workgroup into pieces.
enable subgroups;

const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> totals: array<u32, SIZE / 4u>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(subgroup_size) size: u32,
) {
    let i = id.x;
    let piece = local.x / size;
    var own = 0u;
    if (i < arrayLength(&x)) {
        own = x[i];
    }
    let total = subgroupAdd(own);
    if (local.x % size == 0u) {
        totals[piece] = total;
    }
    var before = subgroupExclusiveAdd(own);
    workgroupBarrier();
    for (var k = 0u; k < piece; k++) {
        before += totals[k];
    }
    if (i < arrayLength(&out)) {
        out[i] = before;
    }
}
