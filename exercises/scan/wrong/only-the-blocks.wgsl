// diagnosis: only-the-blocks
// title: Each block of 256 elements begins at 0 again.
// why: Each block knows only its own elements. The sum of the blocks before it is missing.
// ask: After the second pass, which number of sums belongs to element 300?
// A scan scans.
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>; // one for each block

var<workgroup> part: array<u32, SIZE>;

// before returns the sum of the values that the invocations before this one bring.
fn before(me: u32, value: u32) -> u32 {
    part[me] = value;
    for (var stride = 1u; stride < SIZE; stride *= 2u) {
        workgroupBarrier();
        var other = 0u;
        if (me >= stride) {
            other = part[me - stride];
        }
        workgroupBarrier();
        part[me] += other;
    }
    return part[me] - value;
}

@compute @workgroup_size(SIZE)
fn scan_blocks(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    var own = 0u;
    if (id.x < arrayLength(&x)) {
        own = x[id.x];
    }
    let sum = before(me, own);
    if (id.x < arrayLength(&out)) {
        out[id.x] = sum;
    }
    if (me == SIZE - 1u) {
        sums[block.x] = sum + own;
    }
}

@compute @workgroup_size(SIZE)
fn scan_sums(@builtin(local_invocation_index) me: u32) {
    var own = 0u;
    if (me < arrayLength(&sums)) {
        own = sums[me];
    }
    let sum = before(me, own);
    if (me < arrayLength(&sums)) {
        sums[me] = sum;
    }
}

@compute @workgroup_size(SIZE)
fn add_sums(@builtin(global_invocation_id) id: vec3<u32>) {}
