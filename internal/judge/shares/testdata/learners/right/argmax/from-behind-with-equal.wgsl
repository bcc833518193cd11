struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(10)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < dims.rows) {
        var at = (id.x + 1u) * dims.cols - 1u;
        var winner = at;
        for (var left = dims.cols - 1u; left > 0u; left -= 1u) {
            at -= 1u;
            // walking to the front, so an equal one is the better one
            winner = select(winner, at, x[at] >= x[winner]);
        }
        out[id.x] = winner % dims.cols;
    }
}
