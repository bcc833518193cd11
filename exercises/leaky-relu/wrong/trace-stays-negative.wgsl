// diagnosis: trace-stays-negative
// title: Every negative element stayed negative, even with a negative slope.
// why: A negative number times a negative slope is positive. Your result has the right size, but
//   always a minus sign.
// ask: With a slope of -0.5, what should -8 become?
// A negative number leaves a negative trace.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        let x = data[i];
        data[i] = select(x, -abs(params.slope * x), x < 0.0);
    }
}
