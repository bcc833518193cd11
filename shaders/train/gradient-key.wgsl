// train/gradient-key: how the loss changes with each key and each value of train/attend.
//
// A letter is seen by itself and by the letters after it, up to the end of its sample. An
// invocation walks along them, and adds up what each of them says about its key and its
// value: id.x is its row, id.y the head.

const FOURS = 6u; // vec4s in a head

struct Params {
    rows: u32, // batch × length
    length: u32, // of a sample
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<vec4<f32>>; // rows × heads × FOURS
@group(0) @binding(2) var<storage, read> k: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> v: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> logs: array<f32>; // rows × heads
@group(0) @binding(5) var<storage, read> sums: array<f32>; // rows × heads, of train/gradient-query
@group(0) @binding(6) var<storage, read> d_out: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> d_k: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read_write> d_v: array<vec4<f32>>;

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
    var key: array<vec4<f32>, FOURS>;
    var value: array<vec4<f32>, FOURS>;
    var key_total: array<vec4<f32>, FOURS>;
    var value_total: array<vec4<f32>, FOURS>;
    for (var i = 0u; i < FOURS; i++) {
        key[i] = k[mine + i];
        value[i] = v[mine + i];
    }
    let end = row - row % params.length + params.length;
    for (var other = row; other < end; other++) {
        let at = (other * heads + head) * FOURS;
        var score = 0.0;
        var d_share = 0.0;
        for (var i = 0u; i < FOURS; i++) {
            score += dot(q[at + i], key[i]);
            d_share += dot(d_out[at + i], value[i]);
        }
        let share = exp(score * root - slope * f32(other - row) - logs[other * heads + head]);
        let d_score = share * (d_share - sums[other * heads + head]) * root;
        for (var i = 0u; i < FOURS; i++) {
            key_total[i] += d_score * q[at + i];
            value_total[i] += share * d_out[at + i];
        }
    }
    for (var i = 0u; i < FOURS; i++) {
        d_k[mine + i] = key_total[i];
        d_v[mine + i] = value_total[i];
    }
}
