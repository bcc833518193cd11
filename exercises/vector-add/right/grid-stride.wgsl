// goals: coalesced
// way: Each invocation takes several elements, a whole dispatch apart. The loop's condition is the
//   guard.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let step = 128u * groups.x;
    for (var i = id.x; i < arrayLength(&out); i = i + step) {
        out[i] = a[i] + b[i];
    }
}
