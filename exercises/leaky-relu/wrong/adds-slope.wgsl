// diagnosis: adds-slope
// title: The slope was added to the negative elements.
// why: A slope scales. A sum shifts.
// ask: With a slope of 0, what should -5 become?
// The slope lifts negative numbers.
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
            data[i] += params.slope;
        }
    }
}
