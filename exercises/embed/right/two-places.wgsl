// goals: coalesced
// way: Two places, computed first: from and to.
struct Params {
    n: u32,
    width: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tokens: array<u32>; // n
@group(0) @binding(2) var<storage, read> table: array<f32>; // letters × width
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // n × width

@compute @workgroup_size(32, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (all(id.xy < vec2(params.width, params.n))) {
        let from_row = tokens[id.y] * params.width;
        let to_row = id.y * params.width;
        out[to_row + id.x] = table[from_row + id.x];
    }
}
