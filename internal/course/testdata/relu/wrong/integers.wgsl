// diagnosis: truncated
// 0 is a whole number, so the other side must be one.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = f32(max(i32(data[i]), 0));
    }
}
