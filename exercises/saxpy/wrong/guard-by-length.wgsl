// diagnosis: ignores-n
// title: All of y was updated, not only the first n elements.
// why: Nothing stops the invocations, or only the end of the array does. Here the host passes a
//   longer array than it wants changed, and params.n says where to stop.
// ask: Which number should your guard check?
// The guard is arrayLength, as in the last exercise.
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
    if (i < arrayLength(&y)) {
        y[i] = params.alpha * x[i] + y[i];
    }
}
