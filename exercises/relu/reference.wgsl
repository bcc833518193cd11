// relu: negative numbers become 0, the others stay. It works in place.
//
// One invocation runs for each element of data and replaces it.

@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = max(data[i], 0.0);
    }
}
