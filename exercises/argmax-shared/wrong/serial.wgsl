// diagnosis: serial-reduction
// title: The values are right, but each row is searched by one invocation alone.
// why: All others are idle. Shared among 64 invocations, a row of 1,000 takes 16 steps and 6
//   halvings. For that, they have to share what they found in workgroup memory.
// ask: Where can an invocation put its best value and its column so that another one can read them?
// The shader of argmax, for one invocation.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (local.x == 0u) {
        let start = group.x * dims.cols;
        var at = 0u;
        for (var col = 1u; col < dims.cols; col++) {
            if (x[start + col] > x[start + at]) {
                at = col;
            }
        }
        out[group.x] = at;
    }
}
