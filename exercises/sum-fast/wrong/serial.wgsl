// diagnosis: serial-reduction
// title: The values are right, but one invocation adds up each block alone.
// why: The other 127 are idle. If each of them adds up 8 numbers, 128 sums are left, and the tree
//   adds those in 7 steps.
// ask: Which 8 numbers could invocation 5 add up, without asking any other?
// One does it all.
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    if (me == 0u) {
        var sum = 0.0;
        for (var i = 0u; i < BLOCK; i++) {
            sum += x[group.x * BLOCK + i];
        }
        out[group.x] = sum;
    }
}
