// goals: coalesced; no bank conflicts; few barriers
// Each stores its element, then invocation 0 adds all 64 up.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    partial[me] = x[group.x * SIZE + me];
    workgroupBarrier();
    if (me == 0u) {
        var sum = 0.0;
        for (var i = 0u; i < SIZE; i++) {
            sum += partial[i];
        }
        out[group.x] = sum;
    }
}
