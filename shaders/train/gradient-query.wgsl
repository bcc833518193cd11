// train/gradient-query: how the loss changes with each query of train/attend.
//
// Softmax gives a gradient p · (d - Σ p · d) of a row, where d says how the loss changes
// with each share: d is d_out times the value. The sum of p · d is d_out times out, so it
// needs no walk of its own. The keys' gradients need it as well, so it is kept.
//
// One invocation has one query: id.x is its row, id.y the head.

const FOURS = 6u; // vec4s in a head

struct Params {
    rows: u32, // batch × length
    length: u32, // of a sample
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<vec4<f32>>; // rows × heads × FOURS
@group(0) @binding(2) var<storage, read> k: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> v: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> out: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> logs: array<f32>; // rows × heads
@group(0) @binding(6) var<storage, read> d_out: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> sums: array<f32>; // rows × heads
@group(0) @binding(8) var<storage, read_write> d_q: array<vec4<f32>>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let row = id.x;
    let head = id.y;
    let heads = groups.y;
    if (row >= params.rows) {
        return;
    }
    let slope = exp2(-8.0 * f32(head + 1u) / f32(heads));
    let root = inverseSqrt(f32(4u * FOURS));
    let mine = (row * heads + head) * FOURS;
    var query: array<vec4<f32>, FOURS>;
    var d: array<vec4<f32>, FOURS>;
    var total: array<vec4<f32>, FOURS>;
    var sum = 0.0;
    for (var i = 0u; i < FOURS; i++) {
        query[i] = q[mine + i];
        d[i] = d_out[mine + i];
        sum += dot(d[i], out[mine + i]);
    }
    let log_total = logs[row * heads + head];
    for (var other = row - row % params.length; other <= row; other++) {
        let at = (other * heads + head) * FOURS;
        var score = 0.0;
        var d_share = 0.0;
        for (var i = 0u; i < FOURS; i++) {
            score += dot(query[i], k[at + i]);
            d_share += dot(d[i], v[at + i]);
        }
        let share = exp(score * root - slope * f32(row - other) - log_total);
        let d_score = share * (d_share - sum) * root;
        for (var i = 0u; i < FOURS; i++) {
            total[i] += d_score * k[at + i];
        }
    }
    for (var i = 0u; i < FOURS; i++) {
        d_q[mine + i] = total[i];
    }
    sums[row * heads + head] = sum;
}
