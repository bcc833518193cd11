// goals: coalesced
// way: The copy is inside the if.
struct Params {
    n: u32,
    at: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> cache: array<f32>; // rows × n

@compute @workgroup_size(128)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let start = params.at * params.n;
    if (id.x < params.n) {
        cache[start + id.x] = x[id.x];
    }
}
