// diagnosis: every-element
// A grid-stride loop with a stride of one.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = id.x; i < arrayLength(&out); i += 1u) {
        out[i] = a[i] + b[i];
    }
}
