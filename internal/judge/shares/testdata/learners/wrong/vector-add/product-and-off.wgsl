// vector-add: out[i] = a[i] + b[i] for every element, whatever the length
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let last = arrayLength(&out) - 1u;
    if (id.x >= last) { return; }
    out[id.x] = a[id.x] * b[id.x];
}
