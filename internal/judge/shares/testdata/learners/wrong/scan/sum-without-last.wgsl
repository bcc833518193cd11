// scan: out[i] is the sum of all elements before x[i]
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>; // one for each block of 256

var<workgroup> s: array<u32, SIZE>;

fn exclusive(me: u32, v: u32) -> u32 {
    s[me] = v;
    for (var d = 1u; d < SIZE; d *= 2u) {
        workgroupBarrier();
        var o = 0u;
        if (me >= d) { o = s[me - d]; }
        workgroupBarrier();
        s[me] += o;
    }
    workgroupBarrier();
    return s[me] - v;
}

@compute @workgroup_size(SIZE)
fn scan_blocks(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    var v = 0u;
    if (id.x < arrayLength(&x)) { v = x[id.x]; }
    let before = exclusive(me, v);
    if (id.x < arrayLength(&out)) { out[id.x] = before; }
    if (me == SIZE - 1u) { sums[block.x] = before; }
}

@compute @workgroup_size(SIZE)
fn scan_sums(@builtin(local_invocation_index) me: u32) {
    var v = 0u;
    if (me < arrayLength(&sums)) { v = sums[me]; }
    let before = exclusive(me, v);
    if (me < arrayLength(&sums)) { sums[me] = before; }
}

@compute @workgroup_size(SIZE)
fn add_sums(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&out)) { out[id.x] += sums[id.x / SIZE]; }
}
