// diagnosis: last-element
// title: The output holds the last element of each block.
// why: The sum got lost, or it ended up elsewhere in the array. In each step, a
//   number in the lower half should grow by its partner's.
// ask: What should invocation 0 hold after the first step?
// The step brings the other half down.
const SIZE = 64u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> partial: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let me = local.x;
    partial[me] = x[group.x * SIZE + me];
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        if (me < half) {
            partial[me] = partial[me + half];
        }
        workgroupBarrier();
    }
    if (me == 0u) {
        out[group.x] = partial[0];
    }
}
