// train/attend: attention over the letters so far, for all samples of a step.
//
// It is attention-online, with a mask and a penalty: a letter sees only the letters before
// it and itself, and the farther back one is, the less it counts. How fast a head forgets
// is its slope (Press, Smith and Lewis, "Train Short, Test Long", 2021).
//
// The backward half needs the logarithm of each row's total. With it a share is
// exp(score - log), without a second walk.
//
// One invocation has one query: id.x is its row, id.y the head. A head has 24 numbers.

const FOURS = 6u; // vec4s in a head

struct Params {
    rows: u32, // batch × length
    length: u32, // of a sample
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> q: array<vec4<f32>>; // rows × heads × FOURS
@group(0) @binding(2) var<storage, read> k: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> v: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> out: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read_write> logs: array<f32>; // rows × heads

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
    var mixed: array<vec4<f32>, FOURS>;
    for (var i = 0u; i < FOURS; i++) {
        query[i] = q[mine + i];
    }
    var largest = -3.4e38; // so far
    var total = 0.0;
    for (var other = row - row % params.length; other <= row; other++) {
        let at = (other * heads + head) * FOURS;
        var score = 0.0;
        for (var i = 0u; i < FOURS; i++) {
            score += dot(query[i], k[at + i]);
        }
        score = score * root - slope * f32(row - other);
        let before = largest;
        largest = max(largest, score);
        let fade = exp(before - largest); // for what was added up for a smaller one
        let share = exp(score - largest);
        total = total * fade + share;
        for (var i = 0u; i < FOURS; i++) {
            mixed[i] = mixed[i] * fade + share * v[at + i];
        }
    }
    for (var i = 0u; i < FOURS; i++) {
        out[mine + i] = mixed[i] / total;
    }
    logs[row * heads + head] = largest + log(total);
}
