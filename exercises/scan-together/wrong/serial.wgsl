// diagnosis: serial-scan
// title: The sums are right, but every invocation adds up all elements before its own.
// why: The last one of a block adds 255 numbers while the first has nothing to do. The task is to
//   share the sums of subgroups in workgroup memory.
// ask: Which sums could an invocation take over from its subgroup?
// A loop does it.
const SIZE = 256u;
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    if (id.x >= arrayLength(&out)) {
        return;
    }
    var sum = 0u;
    for (var i = id.x - local.x; i < id.x; i++) {
        sum += x[i];
    }
    out[id.x] = sum;
}
