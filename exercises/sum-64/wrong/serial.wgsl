// diagnosis: serial-reduction
// title: The values are right, but one invocation adds up each block alone.
// why: The other 63 are idle. Shared in workgroup memory, 64 numbers take 6 steps in place of 63,
//   and the next exercises need the same way.
// ask: Where can an invocation put its number so that another one in its workgroup can read it?
// The first invocation adds all of them.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (local.x == 0u) {
        var sum = 0.0;
        for (var i = 0u; i < 64u; i++) {
            sum += x[group.x * 64u + i];
        }
        out[group.x] = sum;
    }
}
