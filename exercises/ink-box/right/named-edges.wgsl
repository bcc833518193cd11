// goals: coalesced
// Named indices.
const LEFT = 0u;
const TOP = 1u;
const RIGHT = 2u;
const BOTTOM = 3u;
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
        atomicMin(&box[LEFT], id.x);
        atomicMin(&box[TOP], id.y);
        atomicMax(&box[RIGHT], id.x);
        atomicMax(&box[BOTTOM], id.y);
    }
}
