// goals: few barriers
// way: The weights are computed together, and one invocation walks along them.
const SIZE = 256u; // n is at most this
struct Params {
    n: u32,
    temperature: f32,
    random: f32, // at least 0, and less than 1
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> scores: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> out: array<u32>; // 1

var<workgroup> weights: array<f32, SIZE>;
var<workgroup> shared_largest: f32;

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) me: u32) {
    if (me == 0u) {
        shared_largest = scores[0];
        for (var i = 1u; i < params.n; i++) {
            shared_largest = max(shared_largest, scores[i]);
        }
    }
    workgroupBarrier();
    if (me < params.n) {
        weights[me] = exp((scores[me] - shared_largest) / params.temperature);
    }
    workgroupBarrier();
    if (me == 0u) {
        var total = 0.0;
        for (var i = 0u; i < params.n; i++) {
            total += weights[i];
        }
        var left = params.random * total;
        var letter = 0u;
        while (letter + 1u < params.n && left >= weights[letter]) {
            left -= weights[letter];
            letter++;
        }
        out[0] = letter;
    }
}
