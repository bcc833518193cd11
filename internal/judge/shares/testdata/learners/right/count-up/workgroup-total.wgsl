// count-up: add 1 to total[0] for each element of image above 0
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

var<workgroup> here: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    if (id.x < arrayLength(&image)) {
        atomicAdd(&here, select(0u, 1u, image[id.x] > 0.0));
    }
    workgroupBarrier();
    if (me == 63u) {
        let found = atomicLoad(&here);
        if (found != 0u) { atomicAdd(&total[0], found); }
    }
}
