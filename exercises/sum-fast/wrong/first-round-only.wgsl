// diagnosis: first-round
// title: Only the first 128 elements of each block were added.
// why: Each invocation fetches one element, and there are 8 times as many elements as invocations.
// ask: Element 900 of a block: which invocation adds it, and in which round?
// The tree of sum-64 is enough.
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    partial[me] = x[group.x * BLOCK + me];
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] += partial[me + half];
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
