// goals: none
// way: A function says where a number is.
struct Params {
    n: u32,
    width: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tokens: array<u32>; // n
@group(0) @binding(2) var<storage, read> table: array<f32>; // letters × width
@group(0) @binding(3) var<storage, read_write> out: array<f32>; // n × width

fn place(row: u32, column: u32) -> u32 {
    return row * params.width + column;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let column = group.x * 8u + local.x;
    let row = group.y * 8u + local.y;
    if (column >= params.width || row >= params.n) {
        return;
    }
    let letter = tokens[row];
    out[place(row, column)] = table[place(letter, column)];
}
