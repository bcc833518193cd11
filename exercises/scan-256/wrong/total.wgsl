// diagnosis: total-everywhere
// title: Every element gets the sum of the whole block.
// why: This is a reduction: one result for all. In a scan each element has a sum of its own.
// ask: Which elements belong in the sum of element 2?
// A sum, as in lesson 5.
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> sums: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    sums[me] = 0u;
    if (id.x < arrayLength(&x)) {
        sums[me] = x[id.x];
    }
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            sums[me] += sums[me + half];
        }
    }
    workgroupBarrier();
    if (id.x < arrayLength(&out)) {
        out[id.x] = sums[0];
    }
}
