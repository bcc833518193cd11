// diagnosis: first-likely-enough
// title: The first letter whose own weight is above random was chosen; the weights were never added
//   up.
// why: Then the first likely letter nearly always wins, and a letter after it has hardly a chance.
// ask: Two letters have the same weight. How often should the second one be chosen?
// The first that is likely enough.
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
    var largest = scores[0];
    for (var i = 1u; i < params.n; i++) {
        largest = max(largest, scores[i]);
    }
    var letter = params.n - 1u;
    for (var i = params.n; i > 0u; i--) {
        if (exp((scores[i - 1u] - largest) / params.temperature) > params.random) {
            letter = i - 1u;
        }
    }
    out[0] = letter;
}
