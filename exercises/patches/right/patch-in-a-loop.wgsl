// goals: coalesced
// way: The first pixels of the workgroups in x move whole columns of tokens.
struct Params {
    side: u32,
    p: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>; // side × side
@group(0) @binding(2) var<storage, read_write> tokens: array<f32>; // patches × (p · p)

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let p = params.p;
    let across = params.side / p;
    if (id.x >= p * p) {
        return;
    }
    for (var patch_number = id.y; patch_number < across * across; patch_number += groups.y) {
        let row = patch_number / across * p + id.x / p;
        let col = patch_number % across * p + id.x % p;
        tokens[patch_number * p * p + id.x] = image[row * params.side + col];
    }
}
