// diagnosis: most-likely
// title: The letter with the largest score was chosen, always the same.
// why: A text of only the likeliest letters soon repeats itself. The random number has to decide,
//   and likelier letters win more often.
// ask: Where does your shader use params.random?
// The best letter is the answer.
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
    var best = 0u;
    for (var i = 1u; i < params.n; i++) {
        if (scores[i] > scores[best]) {
            best = i;
        }
    }
    out[0] = best;
}
