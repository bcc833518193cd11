// train/pool: relu and max-pool for a batch of images.
//
// The largest of four, but at least 0, is the same as relu first and the largest of
// four after it. planes counts the channels of all images. The width and the height
// are even. One invocation makes one number of out.

struct Dims {
    planes: u32,
    w: u32, // of x
    h: u32,
}

@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // planes × h × w
@group(0) @binding(2) var<storage, read_write> out: array<f32>; // planes × h/2 × w/2

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let width = dims.w / 2u;
    let rows = dims.planes * (dims.h / 2u); // of all planes
    let row = id.x / width;
    if (row >= rows) {
        return;
    }
    let at = 2u * row * dims.w + 2u * (id.x % width);
    let upper = max(x[at], x[at + 1u]);
    let lower = max(x[at + dims.w], x[at + dims.w + 1u]);
    out[id.x] = max(0.0, max(upper, lower));
}
