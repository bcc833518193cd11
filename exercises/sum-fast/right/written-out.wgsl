// goals: coalesced; no bank conflicts; idle together; few barriers
// way: The 8 additions are written out, so that 8 reads are on their way at once.
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    let at = group.x * BLOCK + me;
    partial[me] = ((x[at] + x[at + 128u]) + (x[at + 256u] + x[at + 384u])) + ((x[at + 512u] + x[at + 640u]) + (x[at + 768u] + x[at + 896u]));
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] += partial[me + half];
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
