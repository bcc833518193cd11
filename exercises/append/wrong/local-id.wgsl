// diagnosis: local-id
// title: Only the first numbers of the row were written, as many as a workgroup has invocations.
// why: local_invocation_id starts again at 0 in every workgroup. So all workgroups copied the same
//   numbers.
// ask: Which builtin keeps counting from one workgroup to the next?
// The id of the invocation.
struct Params {
    n: u32,
    at: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> cache: array<f32>; // rows × n

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    cache[params.at * params.n + id.x] = x[id.x];
}
