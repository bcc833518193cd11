// sample: chooses a letter at random, by softmax of its score; one workgroup
const SIZE = 256u; // n is at most this
struct Params {
    n: u32,
    temperature: f32,
    random: f32, // at least 0, and less than 1
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> scores: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> out: array<u32>; // 1

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) me: u32) {
    // Your lines go here, and above main what the workgroup shares.
}
