// goals: few barriers
// way: One invocation does it all: two walks, and a third that stops at the letter.
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
    let point = params.random * total;
    var sum = 0.0;
    var letter = 0u;
    for (var i = 0u; i < params.n; i++) {
        let weight = exp((scores[i] - largest) / params.temperature);
        if (weight > 0.0) {
            letter = i; // the last one with a chance, if rounding leaves none
        }
        sum += weight;
        if (sum > point) {
            break;
        }
    }
    out[0] = letter;
}
