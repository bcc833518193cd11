// diagnosis: missing-builtin
// id was there the last time.
struct Params {
    alpha: f32,
    n: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main() {
    let i = id.x;
    if (i < params.n) {
        y[i] = params.alpha * x[i] + y[i];
    }
}
