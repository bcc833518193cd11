// diagnosis: race
// It goes to the row of the letter.
struct Params {
    n: u32,
    width: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tokens: array<u32>; // n
@group(0) @binding(2) var<storage, read> table: array<f32>; // letters × width
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // n × width

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.width || id.y >= params.n) {
        return;
    }
    out[tokens[id.y] * params.width + id.x] = table[id.y * params.width + id.x];
}
