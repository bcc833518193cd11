// sum-64: out[b] is the sum of block b of x, 64 elements; one workgroup takes one block
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> s: array<f32, 64>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    s[me] = x[64u * group.x + me];
    workgroupBarrier();
    for (var h = 32u; h > 0u; h /= 2u) {
        if (me < h) { s[me] = max(s[me], s[me + h]); }
        workgroupBarrier();
    }
    out[group.x] = s[me];
}
