// roof/copy: it only copies from memory to memory.
//
// It shows how fast a device can fetch and store. Each invocation moves one vec4,
// 16 bytes in and 16 bytes out, and neighbours move neighbouring vec4s.

@group(0) @binding(0) var<storage, read> before: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> after: array<vec4<f32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&after)) {
        after[id.x] = before[id.x];
    }
}
