// diagnosis: shifted-without-zero
// title: The first element of each block keeps its own value instead of 0.
// why: Nothing comes before the first element, so its sum is 0.
// ask: What is the sum of no elements at all?
// The neighbour has it.
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
    for (var stride = 1u; stride < SIZE; stride *= 2u) {
        workgroupBarrier();
        var other = 0u;
        if (me >= stride) {
            other = sums[me - stride];
        }
        workgroupBarrier();
        sums[me] += other;
    }
    workgroupBarrier();
    if (id.x < arrayLength(&out)) {
        out[id.x] = sums[max(me, 1u) - 1u];
    }
}
