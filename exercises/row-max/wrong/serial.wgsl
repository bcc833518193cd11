// diagnosis: serial-reduction
// title: The values are right, but each row is searched by one invocation alone.
// why: A workgroup has many invocations, but here all but one are idle: a row of 1,000 takes 1,000
//   steps. Shared among 64 invocations it takes 16 steps and 6 halvings. For that, they have to
//   share what they found in workgroup memory. softmax needs the same thing twice.
// ask: Where can an invocation put its largest element so that another one in its workgroup can
//   read it?
// The first invocation searches the row.
const SIZE = 64u;
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    if (local.x == 0u) {
        let start = group.x * dims.cols;
        var best = x[start];
        for (var c = 1u; c < dims.cols; c++) {
            best = max(best, x[start + c]);
        }
        out[group.x] = best;
    }
}
