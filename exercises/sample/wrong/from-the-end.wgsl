// diagnosis: from-the-end
// title: The weights were added up from the last letter.
// why: The chances are the same, but the task says which letter belongs to which random number: the
//   line begins with letter 0.
// ask: Which letter does random = 0 choose?
// It doesn't matter where it begins.
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
    var total = 0.0;
    for (var i = 0u; i < params.n; i++) {
        total += exp((scores[i] - largest) / params.temperature);
    }
    var left = params.random * total;
    var letter = params.n - 1u;
    while (letter > 0u) {
        left -= exp((scores[letter] - largest) / params.temperature);
        if (left < 0.0) {
            break;
        }
        letter--;
    }
    out[0] = letter;
}
