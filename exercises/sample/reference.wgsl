// sample: throws a die that has a side for each letter, as large as the letter is likely.
//
// Softmax makes weights of the scores: exp((score - largest) / temperature). A low temperature
// sharpens the differences, and a high one levels them. The weights lie side by side
// on a line from 0 to their total. The host drew a random number from 0 to 1. So
// random · total is a point on this line, and the letter whose piece holds it is the next one.
//
// The right ends of the letters on the line are the running sums of the weights: a scan, as in
// lesson 9. The letter is the first whose running sum is above the point.

const SIZE = 256u; // n is at most this
const NEVER = -1e30; // the score of a letter without a chance

struct Params {
    n: u32,
    temperature: f32,
    random: f32, // at least 0, and less than 1
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> scores: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> out: array<u32>; // 1

var<workgroup> shared_scores: array<f32, SIZE>; // the tree for the largest
var<workgroup> sums: array<f32, SIZE>;
var<workgroup> letter: atomic<u32>; // begins as 0, as all workgroup memory

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) me: u32) {
    var score = NEVER; // past n there are no letters
    if (me < params.n) {
        score = scores[me];
    }
    let possible = score > NEVER;
    shared_scores[me] = score;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            shared_scores[me] = max(shared_scores[me], shared_scores[me + half]);
        }
    }
    workgroupBarrier();
    let largest = shared_scores[0];

    var weight = 0.0;
    if (possible) {
        weight = exp((score - largest) / params.temperature);
    }
    sums[me] = weight;
    for (var stride = 1u; stride < SIZE; stride *= 2u) {
        workgroupBarrier();
        var other = 0.0;
        if (me >= stride) {
            other = sums[me - stride];
        }
        workgroupBarrier();
        sums[me] += other;
    }

    // Should rounding leave no letter, the last one with a chance is the choice.
    if (possible) {
        atomicMax(&letter, me);
    }
    workgroupBarrier();
    let point = params.random * sums[SIZE - 1u];
    if (possible && sums[me] > point) {
        atomicMin(&letter, me);
    }
    workgroupBarrier();
    if (me == 0u) {
        out[0] = atomicLoad(&letter);
    }
}
