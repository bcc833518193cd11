// diagnosis: lost-update
// Only a pixel further left writes.
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
        if (id.x < atomicLoad(&box[0])) { atomicStore(&box[0], id.x); }
        if (id.y < atomicLoad(&box[1])) { atomicStore(&box[1], id.y); }
        if (id.x > atomicLoad(&box[2])) { atomicStore(&box[2], id.x); }
        if (id.y > atomicLoad(&box[3])) { atomicStore(&box[3], id.y); }
    }
}
