// goals: coalesced
// way: Each invocation writes several elements, a whole dispatch apart. So any number of workgroups
//   is enough.
@group(0) @binding(0) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    // A few workgroups would be enough: each invocation walks on by all of them.
    let count = arrayLength(&out);
    for (var i = id.x; i < count; i += groups.x * 32u) {
        out[i] = i;
    }
}
