// diagnosis: relu
// title: The output is relu, not gelu.
// why: Far from zero the two are nearly equal. Near zero gelu is smooth, and for small negative x it is
//   a little below 0.
// ask: What is gelu of -1?
// Below zero it is 0.
struct Params {
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    let y = x[id.x];
    let inner = 0.7978846 * (y + 0.044715 * y * y * y);
    out[id.x] = max(y, 0.0);
}
