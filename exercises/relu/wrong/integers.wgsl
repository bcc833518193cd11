// diagnosis: truncated
// title: The fractions were lost.
// why: The value became a whole number on the way. i32(x) drops the fraction, and you don't need
//   it: max works on floats.
// ask: What type is your zero?
// 0 is a whole number, so the other side must be one.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = f32(max(i32(data[i]), 0));
    }
}
