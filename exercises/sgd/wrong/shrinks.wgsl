// diagnosis: scaled
// title: The weights were multiplied, not moved.
// why: The step does not depend on how large the weight is. A weight of 0 could never move like
//   this.
// ask: What should happen to a weight that is 0?
// Each weight shrinks by its share.
struct Params {
    n: u32,
    rate: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> w: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) {
        return;
    }
    w[i] *= 1.0 - params.rate * g[i];
}
