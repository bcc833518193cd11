// diagnosis: every-element
// The loop finds the element that is mine.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = 0u; i < arrayLength(&data); i++) {
        if (i == id.x) {
            data[i] = max(data[i], 0.0);
        }
    }
}
