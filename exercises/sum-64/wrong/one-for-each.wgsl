// diagnosis: one-each
// title: Each invocation wrote what it held, to an element of its own.
// why: out has one element per block. Only element 0 of the array holds the whole sum, and its
//   place in out is the number of the block.
// ask: How many elements does out have with two blocks? Which of the 64 invocations has something
//   to write?
// Each invocation writes its result.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    partial[me] = x[group.x * SIZE + me];
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] += partial[me + half];
        }
        workgroupBarrier();
    }
    out[group.x * SIZE + me] = partial[me];
}
