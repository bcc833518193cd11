// goals: coalesced
// way: Workgroup and local id in place of the global id.
struct Params {
    n: u32,
    at: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> cache: array<f32>; // rows × n

const SIZE = 256u;

@compute @workgroup_size(SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let column = group.x * SIZE + me;
    if (column < params.n) {
        cache[params.n * params.at + column] = x[column];
    }
}
