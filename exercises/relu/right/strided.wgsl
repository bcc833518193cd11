// goals: coalesced
// Each invocation starts at its own element and strides over the whole dispatch.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

const SIZE = 64u;

@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < arrayLength(&data); i += groups.x * SIZE) {
        data[i] = clamp(data[i], 0.0, 3.0e38);
    }
}
