// diagnosis: without-subgroups
// title: The sum is right, but a tree in workgroup memory adds it up.
// why: Every step of it goes through memory and waits at a barrier. The task is to let the
//   invocations of a subgroup pass each other their numbers directly.
// ask: Which of your steps could one function of subgroups do?
// As in the lesson before.
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;

var<workgroup> parts: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let me = local.x;
    parts[me] = 0.0;
    if (id.x < arrayLength(&x)) {
        parts[me] = x[id.x];
    }
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            parts[me] += parts[me + half];
        }
    }
    if (me == 0u) {
        out[group.x] = parts[0];
    }
}
