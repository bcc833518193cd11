// diagnosis: share-of-one
// title: The output holds the sum of a single invocation.
// why: Each invocation has added up its own 8 numbers. 128 such sums belong together.
// ask: What do the other 127 invocations do with their sums?
// Invocation 0 has the sum.
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var sum = 0.0;
    for (var i = me; i < BLOCK; i += SIZE) {
        sum += x[group.x * BLOCK + i];
    }
    if (me == 0u) {
        out[group.x] = sum;
    }
}
