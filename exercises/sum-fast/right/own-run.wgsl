// goals: no bank conflicts; idle together; few barriers
// way: Each invocation adds 8 numbers in a row: right, but neighbours touch different sectors.
const SIZE = 128u;
const BLOCK = 1024u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    var sum = 0.0;
    for (var i = 0u; i < 8u; i++) {
        sum += x[group.x * BLOCK + me * 8u + i];
    }
    partial[me] = sum;
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
