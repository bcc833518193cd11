// diagnosis: slope-itself
// title: Negative elements became the slope itself.
// why: They all got the same value. The slope scales the element, so -5 and -1 should still differ.
// ask: What should the slope multiply?
// The slope takes the place of negative numbers.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = select(data[i], params.slope, data[i] < 0.0);
    }
}
