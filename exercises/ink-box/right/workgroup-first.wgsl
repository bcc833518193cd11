// goals: coalesced
// way: Each workgroup finds its own box, and four atomics a workgroup widen the one in storage.
// A box of the workgroup first.
struct Params {
    w: u32,
    h: u32,
    threshold: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> image: array<f32>; // h rows of w
@group(0) @binding(2) var<storage, read_write> box: array<atomic<u32>>; // left, top, right, bottom

var<workgroup> least: array<atomic<u32>, 2>;
var<workgroup> most: array<atomic<u32>, 2>;
var<workgroup> any: atomic<u32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    if (me < 2u) {
        atomicStore(&least[me], 0xffffffffu);
    }
    workgroupBarrier();
    if (id.x < params.w && id.y < params.h && image[id.y * params.w + id.x] > params.threshold) {
        atomicMin(&least[0], id.x);
        atomicMin(&least[1], id.y);
        atomicMax(&most[0], id.x);
        atomicMax(&most[1], id.y);
        atomicStore(&any, 1u);
    }
    workgroupBarrier();
    if (me < 2u && atomicLoad(&any) == 1u) {
        atomicMin(&box[me], atomicLoad(&least[me]));
        atomicMax(&box[me + 2u], atomicLoad(&most[me]));
    }
}
