// goals: coalesced
// way: Each invocation copies one number, counted from the end.
struct Params {
    n: u32,
    at: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> cache: array<f32>; // rows × n

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    let end = (params.at + 1u) * params.n;
    cache[end - 1u - id.x] = x[params.n - 1u - id.x];
}
