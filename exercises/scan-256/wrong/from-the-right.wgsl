// diagnosis: from-the-right
// title: Your sums hold what comes after each element.
// why: Your shader takes the number stride places to the right. What comes before is to the left.
// ask: In which direction from element 5 is element 4?
// The rest of the block.
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
        if (me + stride < SIZE) {
            other = sums[me + stride];
        }
        workgroupBarrier();
        sums[me] += other;
    }
    if (id.x < arrayLength(&out)) {
        out[id.x] = sums[me] - own;
    }
}
