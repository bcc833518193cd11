// diagnosis: no-y
// title: The result is alpha * x; the old y was lost.
// why: y is updated in place. If you assign to it without reading it first, the old value is gone.
// ask: Where does the old value of y come in?
// y gets a new value.
struct Params {
    alpha: f32,
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < params.n) {
        y[i] = params.alpha * x[i];
    }
}
