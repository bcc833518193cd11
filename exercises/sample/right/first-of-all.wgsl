// goals: few barriers
// way: All letters whose sum is above the point agree on the first one.
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
var<workgroup> first: atomic<u32>;

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
    if (me == 0u) {
        atomicStore(&first, params.n - 1u);
    }
    workgroupBarrier();
    if (me < params.n && sums[me] > point) {
        atomicMin(&first, me);
    }
    workgroupBarrier();
    if (me == 0u) {
        out[0] = atomicLoad(&first);
    }
}
