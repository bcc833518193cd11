// embed: each letter of a text becomes a row of numbers.
//
// A network computes with numbers, but the number of a letter says nothing: 3 isn't more
// than 2 if they are c and b. So each letter has a row of its own in a table, and training
// decides what is in it. Letters that are used alike get rows that are alike.
//
// tokens holds the text: for each place the number of its letter. That number is the row to
// copy. Reading from places that another buffer holds is called a gather.
//
// One invocation copies one number: id.x is its place in the row, id.y the place in the text.

struct Params {
    n: u32, // letters in the text
    width: u32, // numbers for each letter
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tokens: array<u32>; // n
@group(0) @binding(2) var<storage, read> table: array<f32>; // letters × width
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // n × width

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let column = id.x;
    let row = id.y;
    if (column >= params.width || row >= params.n) {
        return;
    }
    let letter = tokens[row];
    out[row * params.width + column] = table[letter * params.width + column];
}
