// diagnosis: last-one-wins
// title: Your box holds a single pixel.
// why: Each pixel with ink replaces the places of the others with its own. The last one stays.
// ask: What should happen to the left edge if this pixel is further right?
// The pixel knows where it is.
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
    if (image[id.y * params.w + id.x] > params.threshold) {
        atomicStore(&box[0], id.x);
        atomicStore(&box[1], id.y);
        atomicStore(&box[2], id.x);
        atomicStore(&box[3], id.y);
    }
}
