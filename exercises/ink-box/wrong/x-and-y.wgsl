// diagnosis: x-and-y
// title: In your box, x and y have changed places.
// why: box holds columns first: left, then top. Your shader puts rows there.
// ask: Is id.x the number of a row or of a column?
// Row first, as in a matrix.
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
        atomicMin(&box[0], id.y);
        atomicMin(&box[1], id.x);
        atomicMax(&box[2], id.y);
        atomicMax(&box[3], id.x);
    }
}
