// sum-64: out[b] is the sum of block b of x, 64 elements; one workgroup takes one block
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> half_sums: array<f32, 32>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let at = group.x * SIZE;
    if (me < 32u) {
        half_sums[me] = x[at + me] + x[at + 63u - me];
    }
    workgroupBarrier();
    if (me == 0u) {
        var s = 0.0;
        for (var i = 0u; i < 32u; i++) { s += half_sums[i]; }
        out[group.x] = s;
    }
}
