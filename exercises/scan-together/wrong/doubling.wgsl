// diagnosis: without-subgroups
// title: The sums are right, but workgroup memory passes each of them on.
// why: Every step of it goes through memory and waits at a barrier. The task is to let the
//   invocations of a subgroup pass each other their numbers directly.
// ask: Which of your steps could one function of subgroups do?
// As in the lesson before.
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

var<workgroup> totals: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let me = local.x;
    let i = id.x;
    var own = 0u;
    if (i < arrayLength(&x)) {
        own = x[i];
    }
    totals[me] = own;
    for (var stride = 1u; stride < SIZE; stride *= 2u) {
        workgroupBarrier();
        var other = 0u;
        if (me >= stride) {
            other = totals[me - stride];
        }
        workgroupBarrier();
        totals[me] += other;
    }
    if (i < arrayLength(&out)) {
        out[i] = totals[me] - own;
    }
}
