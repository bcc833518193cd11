// diagnosis: last-missing
// title: The last element was never written.
// why: Your guard holds back one invocation too many. With n elements the last index is n - 1, and
//   that invocation still has work to do.
// ask: For n = 1: does invocation 0 get past your guard?
// The last index is the length minus one, so I stop there.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&out) - 1u) {
        out[id.x] = id.x;
    }
}
