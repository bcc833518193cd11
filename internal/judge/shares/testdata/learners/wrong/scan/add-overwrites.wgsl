// scan: out[i] is the sum of all elements before x[i]
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>; // one for each block of 256

var<workgroup> w: array<u32, SIZE>;

fn scan_one(me: u32, v: u32) -> vec2<u32> {
    w[me] = v;
    for (var d = 1u; d < SIZE; d <<= 1u) {
        workgroupBarrier();
        let o = select(0u, w[max(me, d) - d], me >= d);
        workgroupBarrier();
        w[me] += o;
    }
    workgroupBarrier();
    return vec2(w[me] - v, w[SIZE - 1u]);
}

// Pass 1
@compute @workgroup_size(SIZE)
fn scan_blocks(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) block: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    var v = 0u;
    if (id.x < arrayLength(&x)) { v = x[id.x]; }
    let r = scan_one(me, v);
    if (id.x < arrayLength(&x)) { out[id.x] = r.x; }
    if (me == 0u) { sums[block.x] = r.y; }
}

// Pass 2
@compute @workgroup_size(SIZE)
fn scan_sums(@builtin(local_invocation_index) me: u32) {
    var v = 0u;
    if (me < arrayLength(&sums)) { v = sums[me]; }
    let r = scan_one(me, v);
    if (me < arrayLength(&sums)) { sums[me] = r.x; }
}

// Pass 3
@compute @workgroup_size(SIZE)
fn add_sums(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&out)) {
        out[id.x] = sums[id.x / SIZE];
    }
}
