// diagnosis: all-equally-likely
// title: All letters are equally likely; the scores do not matter.
// why: A letter's piece of the line should be as long as its weight.
// ask: How likely is a letter with the score -1e30?
// A random letter.
const SIZE = 256u; // n is at most this
struct Params {
    n: u32,
    temperature: f32,
    random: f32, // at least 0, and less than 1
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> scores: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> out: array<u32>; // 1

@compute @workgroup_size(1)
fn main() {
    out[0] = u32(params.random * f32(params.n));
}
