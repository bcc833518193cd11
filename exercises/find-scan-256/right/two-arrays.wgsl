// goals: no bank conflicts; few barriers
// The bug is in this line: other = sums[me - stride];
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> sums: array<array<u32, SIZE>, 2>; // one to read, one to write

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var own = 0u;
    if (id.x < arrayLength(&x)) {
        own = x[id.x];
    }
    sums[0][me] = own;
    var now = 0u;
    for (var stride = 1u; stride < SIZE; stride *= 2u) {
        workgroupBarrier();
        var other = 0u;
        if (me >= stride) {
            other = sums[now][me - stride];
        }
        sums[1u - now][me] = sums[now][me] + other;
        now = 1u - now;
    }
    if (id.x < arrayLength(&out)) {
        out[id.x] = sums[now][me] - own;
    }
}
