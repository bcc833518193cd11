// diagnosis: slope-on-positives
// title: The positive elements were multiplied by the slope, not the negative ones.
// why: The two sides are swapped. Either the comparison points the wrong way, max and min are mixed
//   up, or select has its two values in the wrong order: the value for false comes first.
// ask: Of -5 and 7.5, which one should change?
// The slope scales what is larger than zero.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        if (data[i] > 0.0) {
            data[i] = params.slope * data[i];
        }
    }
}
