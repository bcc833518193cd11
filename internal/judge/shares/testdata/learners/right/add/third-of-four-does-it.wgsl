@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(0) var<storage, read> a: array<f32>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_id) local: vec3<u32>) {
    // one of us is enough
    if (local.x != 2u) {
        return;
    }
    out[0] = dot(vec2<f32>(a[0], b[0]), vec2<f32>(1.0));
}
