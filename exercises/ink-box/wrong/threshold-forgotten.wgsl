// diagnosis: threshold-forgotten
// title: Your box includes faint pixels as well.
// why: Your shader takes every pixel above 0. Only those above the threshold count.
// ask: What is params.threshold for?
// Ink is above 0.
struct Params {
    w: u32,
    h: u32,
    threshold: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> box: array<atomic<u32>>; // left, top, right, bottom

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.w || id.y >= params.h) {
        return;
    }
    if (image[id.y * params.w + id.x] > 0.0) {
        atomicMin(&box[0], id.x);
        atomicMin(&box[1], id.y);
        atomicMax(&box[2], id.x);
        atomicMax(&box[3], id.y);
    }
}
