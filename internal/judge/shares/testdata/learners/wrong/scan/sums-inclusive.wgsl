// scan: out[i] is the sum of all elements before x[i]
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>; // one for each block of 256

var<workgroup> buf: array<u32, SIZE>;

fn inclusive(me: u32, mine: u32) -> u32 {
    buf[me] = mine;
    workgroupBarrier();
    var stride = 1u;
    while (stride < SIZE) {
        var v = buf[me];
        if (me >= stride) { v += buf[me - stride]; }
        workgroupBarrier();
        buf[me] = v;
        workgroupBarrier();
        stride += stride;
    }
    return buf[me];
}

@compute @workgroup_size(SIZE)
fn scan_blocks(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let n = arrayLength(&x);
    var mine = 0u;
    if (id.x < n) { mine = x[id.x]; }
    let upto = inclusive(me, mine);
    if (id.x < n) { out[id.x] = upto - mine; }
    if (me == 255u) { sums[block.x] = upto; }
}

@compute @workgroup_size(SIZE)
fn scan_sums(@builtin(local_invocation_index) me: u32) {
    let blocks = arrayLength(&sums);
    var mine = 0u;
    if (me < blocks) { mine = sums[me]; }
    let upto = inclusive(me, mine);
    if (me < blocks) {
        sums[me] = upto;
    }
}

@compute @workgroup_size(SIZE)
fn add_sums(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= arrayLength(&out)) { return; }
    out[id.x] = out[id.x] + sums[id.x / SIZE];
}
