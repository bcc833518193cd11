// ink-box: left, top, right and bottom of the pixels above the threshold; box begins as
// 4294967295, 4294967295, 0, 0
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
    let col = id.x;
    let row = id.y;
    if (col < params.w && row < params.h) {
        let ink = image[row * params.w + col];
        if (ink > params.threshold) {
            atomicMin(&box[0], col);
            atomicMax(&box[1], col);
            atomicMin(&box[2], row);
            atomicMax(&box[3], row);
        }
    }
}
