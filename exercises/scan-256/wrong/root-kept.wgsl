// diagnosis: root-not-cleared
// title: Your sums are too large by the total of the block.
// why: On the way down, the root passes on the sum of all that comes before the block. That is 0,
//   but your root still holds the total.
// ask: Which number should the last element hold between the way up and the way down?
// Down the tree again.
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
    for (var stride = 1u; stride < SIZE; stride *= 2u) {
        workgroupBarrier();
        if ((me + 1u) % (2u * stride) == 0u) {
            sums[me] += sums[me - stride];
        }
    }
    for (var stride = SIZE / 2u; stride > 0u; stride /= 2u) {
        workgroupBarrier();
        if ((me + 1u) % (2u * stride) == 0u) {
            let left = sums[me - stride];
            sums[me - stride] = sums[me];
            sums[me] += left;
        }
    }
    workgroupBarrier();
    if (id.x < arrayLength(&out)) {
        out[id.x] = sums[me];
    }
}
