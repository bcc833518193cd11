// scan: out[i] is the sum of all elements before x[i]
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>; // one for each block of 256

var<workgroup> part: array<u32, SIZE>;

fn scan_block(me: u32) {
    for (var s = 1u; s < SIZE; s *= 2u) {
        workgroupBarrier();
        var left = 0u;
        if (me >= s) { left = part[me - s]; }
        workgroupBarrier();
        part[me] += left;
    }
    workgroupBarrier();
}

fn before(me: u32) -> u32 {
    if (me == 0u) { return 0u; }
    return part[me - 1u];
}

@compute @workgroup_size(SIZE)
fn scan_blocks(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    part[me] = 0u;
    if (id.x < arrayLength(&x)) { part[me] = x[id.x]; }
    scan_block(me);
    if (id.x < arrayLength(&x)) { out[id.x] = before(me); }
    if (me == SIZE - 1u) { sums[block.x] = part[me]; }
}

@compute @workgroup_size(SIZE)
fn scan_sums(@builtin(local_invocation_index) me: u32) {
    part[me] = 0u;
    if (me < arrayLength(&sums)) { part[me] = sums[me]; }
    scan_block(me);
    if (me < arrayLength(&sums)) { sums[me] = before(me); }
}

@compute @workgroup_size(SIZE)
fn add_sums(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&out)) {
        let b = i % SIZE;
        out[i] += sums[b];
    }
}
