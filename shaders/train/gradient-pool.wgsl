// train/gradient-pool: how the loss changes with each number before relu and max-pool.
//
// Only the largest of four reached the loss, so it alone gets the gradient; the other
// three get 0. If relu made the result 0, all four do. Of equal ones the first counts.
// One invocation goes through one square of four.

struct Dims {
    planes: u32,
    w: u32, // of x
    h: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // planes × h × w
@group(0) @binding(2) var<storage, read> d_out: array<f32>; // planes × h/2 × w/2
@group(0) @binding(3) var<storage, read_write> d_x: array<f32>; // planes × h × w

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let width = dims.w / 2u;
    let rows = dims.planes * (dims.h / 2u); // of all planes
    let row = id.x / width;
    if (row >= rows) {
        return;
    }
    let first = 2u * row * dims.w + 2u * (id.x % width);
    let at = first + vec4(0u, 1u, dims.w, dims.w + 1u);
    var winner = 0u;
    for (var i = 1u; i < 4u; i++) {
        if (x[at[i]] > x[at[winner]]) {
            winner = i;
        }
    }
    let d = select(0.0, d_out[id.x], x[at[winner]] > 0.0);
    for (var i = 0u; i < 4u; i++) {
        d_x[at[i]] = select(0.0, d, i == winner);
    }
}
