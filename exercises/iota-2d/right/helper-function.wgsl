// goals: coalesced
// The index in a helper function, the sizes of the workgroup in constants.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;

const WIDTH: u32 = 32;
const HEIGHT = WIDTH / 8u;

fn at(row: u32, column: u32) -> u32 {
    return row * dims.cols + column;
}

@compute @workgroup_size(WIDTH, HEIGHT)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let inside = id.x < dims.cols && id.y < dims.rows;
    if (inside) {
        out[at(id.y, id.x)] = id.y * 1000 + id.x;
    }
}
