// goals: coalesced
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(0) var<storage, read> a: array<f32>;

fn inside(i: u32) -> bool { return i < arrayLength(&out); }

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (inside(id.x)) { out[id.x] = fma(a[id.x], 1.0, b[id.x]); }
}
