// diagnosis: swapped-ids
// title: Your shader takes id.x for the place in the text and id.y for the column.
// why: The dispatch covers the columns in x and the letters in y. With the ids the other way round,
//   some elements have no invocation.
// ask: Which side of the dispatch is as long as a row?
// x is the letter.
struct Params {
    n: u32,
    width: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tokens: array<u32>; // n
@group(0) @binding(2) var<storage, read> table: array<f32>; // letters × width
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // n × width

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.y >= params.width || id.x >= params.n) {
        return;
    }
    out[id.x * params.width + id.y] = table[tokens[id.x] * params.width + id.y];
}
