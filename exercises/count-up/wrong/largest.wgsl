// diagnosis: last-pixel
// title: total[0] tells where the last pixel with ink is, not how many there are.
// why: atomicMax keeps the largest of the numbers that it is given.
// ask: If two pixels have ink, by how much should the number have grown?
// The largest count wins.
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&image) && image[id.x] > 0.0) {
        atomicMax(&total[0], id.x + 1u);
    }
}
