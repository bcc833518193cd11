// goals: none
// Eight invocations have the same x: each does the same work, and that it is done again changes nothing.

@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = max(data[i], 0.0);
    }
}
