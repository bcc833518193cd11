// scan-256: out[i] is the sum of the elements before x[i] in its block of 256
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> buf: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    buf[me] = 0u;
    if (id.x < arrayLength(&x)) { buf[me] = x[id.x]; }
    let own = buf[me];
    workgroupBarrier();
    for (var d = 1u; d < SIZE; d++) {
        var add = 0u;
        if (me >= d) { add = buf[me - d]; }
        workgroupBarrier();
        buf[me] = buf[me] + add;
        workgroupBarrier();
    }
    if (id.x < arrayLength(&x)) { out[id.x] = buf[me] - own; }
}
