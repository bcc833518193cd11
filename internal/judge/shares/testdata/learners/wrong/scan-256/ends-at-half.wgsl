// scan-256: out[i] is the sum of the elements before x[i] in its block of 256
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> t: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var own = 0u;
    if (id.x < arrayLength(&x)) { own = x[id.x]; }
    t[me] = own;
    workgroupBarrier();
    for (var s = 1u; s < SIZE / 2u; s <<= 1u) {
        var v = t[me];
        if (me >= s) { v += t[me - s]; }
        workgroupBarrier();
        t[me] = v;
        workgroupBarrier();
    }
    if (id.x < arrayLength(&out)) { out[id.x] = t[me] - own; }
}
