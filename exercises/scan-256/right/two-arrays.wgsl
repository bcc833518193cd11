// goals: no bank conflicts; few barriers
// way: Two arrays that change roles in each step need only one barrier.
// Reads from one array, writes to the other.
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> sums: array<array<u32, SIZE>, 2>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var mine = 0u;
    if (id.x < arrayLength(&x)) { mine = x[id.x]; }
    var source = 0u;
    sums[0][me] = mine;
    workgroupBarrier();
    for (var stride = 1u; stride < SIZE; stride <<= 1u) {
        var sum = sums[source][me];
        if (me >= stride) { sum += sums[source][me - stride]; }
        source = 1u - source;
        sums[source][me] = sum;
        workgroupBarrier();
    }
    if (id.x >= arrayLength(&out)) { return; }
    if (me == 0u) {
        out[id.x] = 0u;
    } else {
        out[id.x] = sums[source][me - 1u];
    }
}
