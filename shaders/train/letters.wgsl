// train/letters: the letters of a step, and the letter that follows each.
//
// The text is one long list of letters, each a number. A sample is a piece of it, and the
// samples of a step stand in a shuffled order. In each epoch the pieces begin somewhere
// else, so the network sees other beginnings of them.
//
// A letter becomes a row of zeros with a 1 in its place. Such a row times the table of
// letters is the letter's row of the table; and the gradient of the table is a matrix
// product like that of any layer.
//
// One invocation writes one row.

struct Params {
    rows: u32, // batch × length
    letters: u32, // of the alphabet
    length: u32, // of a sample
    steps_per_epoch: u32,
}

struct Clock {
    step: u32,
    first: u32, // the step's first sample in the order
    rate: f32,
}

const APART = 97u; // how far an epoch moves the beginnings

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> clock: Clock;
@group(0) @binding(2) var<storage, read> order: array<u32>; // the epoch's samples, shuffled
@group(0) @binding(3) var<storage, read> text: array<u32>;
@group(0) @binding(4) var<storage, read_write> now: array<f32>; // rows × letters
@group(0) @binding(5) var<storage, read_write> next: array<u32>; // rows

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= params.rows) {
        return;
    }
    let epoch = (max(clock.step, 1u) - 1u) / params.steps_per_epoch;
    let sample = order[clock.first + row / params.length];
    let at = sample * params.length + APART * epoch % params.length + row % params.length;
    for (var letter = 0u; letter < params.letters; letter++) {
        now[row * params.letters + letter] = select(0.0, 1.0, letter == text[at]);
    }
    next[row] = text[at + 1u];
}
