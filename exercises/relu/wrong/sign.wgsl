// diagnosis: sign
// title: Every element became 1 or -1.
// why: sign tells only on which side of 0 a number is, not how large it is.
// ask: What should 7.5 become?
// sign tells negative from positive.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i < arrayLength(&data)) {
        data[i] = sign(data[i]);
    }
}
