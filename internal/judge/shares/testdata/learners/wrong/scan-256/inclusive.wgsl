// scan-256: out[i] is the sum of the elements before x[i] in its block of 256
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> sums: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var mine = 0u;
    if (id.x < arrayLength(&x)) { mine = x[id.x]; }
    sums[me] = mine;
    for (var s = 1u; s < SIZE; s *= 2u) {
        workgroupBarrier();
        var other = 0u;
        if (me >= s) { other = sums[me - s]; }
        workgroupBarrier();
        sums[me] += other;
    }
    if (id.x < arrayLength(&out)) { out[id.x] = sums[me]; }
}
