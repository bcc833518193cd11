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

var<workgroup> lo: array<atomic<u32>, 2>;
var<workgroup> hi: array<atomic<u32>, 2>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    if (me < 2u) { atomicStore(&lo[me], 0xffffffffu); }
    workgroupBarrier();
    if (id.x < params.w && id.y < params.h) {
        if (image[id.y * params.w + id.x] > params.threshold) {
            for (var axis = 0u; axis < 2u; axis++) {
                atomicMin(&lo[axis], id[axis]);
                atomicMax(&hi[axis], id[axis]);
            }
        }
    }
    workgroupBarrier();
    if (me < 2u) {
        atomicMin(&box[me], atomicLoad(&lo[me]));
        atomicMax(&box[me + 2u], atomicLoad(&hi[me]));
    }
}
