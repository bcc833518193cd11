// diagnosis: never-moves
// title: v is right, but the weights haven't moved.
// why: The velocity says how far a step goes. No line takes the step.
// ask: Which line changes w, and which of v's values should it use?
// The velocity moves the weights by itself.
struct Params {
    n: u32,
    rate: f32,
    keep: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> v: array<f32>;
@group(0) @binding(3) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    v[i] *= params.keep;
    v[i] += g[i];
}
