// diagnosis: stops-early
// title: Each sum holds at most 128 elements.
// why: Your last step has a stride of 64. Elements that are further back than all steps together
//   never reach the sum.
// ask: How far apart are the first and the last element of a block?
// Half of the strides suffice.
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> sums: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var own = 0u;
    if (id.x < arrayLength(&x)) {
        own = x[id.x];
    }
    sums[me] = own;
    for (var stride = 1u; stride < SIZE / 2u; stride *= 2u) {
        workgroupBarrier();
        var other = 0u;
        if (me >= stride) {
            other = sums[me - stride];
        }
        workgroupBarrier();
        sums[me] += other;
    }
    if (id.x < arrayLength(&out)) {
        out[id.x] = sums[me] - own;
    }
}
