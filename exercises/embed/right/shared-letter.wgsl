// goals: coalesced
// way: One invocation reads the letter for the whole workgroup.
struct Params {
    n: u32,
    width: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tokens: array<u32>; // n
@group(0) @binding(2) var<storage, read> table: array<f32>; // letters × width
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // n × width

var<workgroup> letter: u32;

@compute @workgroup_size(64)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) me: u32,
) {
    let row = group.y; // all of a workgroup have the same
    if (row >= params.n) {
        return;
    }
    if (me == 0u) {
        letter = tokens[row];
    }
    workgroupBarrier();
    if (id.x < params.width) {
        out[row * params.width + id.x] = table[letter * params.width + id.x];
    }
}
