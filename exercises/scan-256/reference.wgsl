// scan-256: up a tree of sums, and down again.
//
// On the way up every second element takes in its left neighbour's sum, then every fourth, and so
// on. On the way down each node passes what comes before it to its left child, and that plus the
// left child's sum to its right child.

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
    if (me == SIZE - 1u) {
        sums[me] = 0u; // nothing comes before the whole block
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
