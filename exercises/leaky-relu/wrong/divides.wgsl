// diagnosis: divides-by-slope
// title: Negative elements were divided by the slope.
// why: They became larger, but they should become smaller.
// ask: With a slope of 0.1, what should -5 become?
// The slope makes them smaller, so divide.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        if (data[i] < 0.0) {
            data[i] /= params.slope;
        }
    }
}
