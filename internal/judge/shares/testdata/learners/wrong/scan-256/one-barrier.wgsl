// scan-256: out[i] is the sum of the elements before x[i] in its block of 256
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> acc: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let n = arrayLength(&x);
    acc[me] = select(0u, x[min(id.x, n - 1u)], id.x < n);
    workgroupBarrier();
    var stride = 1u;
    while (stride < SIZE) {
        var left = 0u;
        if (me >= stride) {
            left = acc[me - stride];
        }
        acc[me] += left;
        workgroupBarrier();
        stride *= 2u;
    }
    if (id.x < n) {
        var before = 0u;
        if (me > 0u) { before = acc[me - 1u]; }
        out[id.x] = before;
    }
}
