// diagnosis: next-letter
// title: The letter after the right one was chosen.
// why: The letter is the first whose own running sum is above the point. Yours is the one after it.
// ask: The weights are 1, 1 and 2. Which letter does the point 0.5 belong to?
// The letter after the sums below.
const SIZE = 256u; // n is at most this
struct Params {
    n: u32,
    temperature: f32,
    random: f32, // at least 0, and less than 1
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> scores: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> out: array<u32>; // 1

var<workgroup> tree: array<f32, SIZE>;
var<workgroup> sums: array<f32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(@builtin(local_invocation_index) me: u32) {
    var score = -3.4028234e+38;
    if (me < params.n) {
        score = scores[me];
    }
    tree[me] = score;
    for (var half = SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (me < half) {
            tree[me] = max(tree[me], tree[me + half]);
        }
    }
    workgroupBarrier();
    let largest = tree[0];

    var weight = 0.0;
    if (me < params.n) {
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
    workgroupBarrier();

    let point = params.random * sums[SIZE - 1u];
    var before = 0.0;
    if (me > 0u) {
        before = sums[me - 1u];
    }
    if (before <= point && point < sums[me]) {
        out[0] = me + 1u;
    }
}
