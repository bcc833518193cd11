// diagnosis: adds-the-index
// title: Your shader adds up the numbers of the pixels instead of counting pixels.
// why: id.x says where a pixel is. Each pixel with ink should add the same amount.
// ask: By how much should one pixel change the count?
// id.x is what this invocation has to add.
@group(0) @binding(0) var<storage, read> image: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<atomic<u32>>; // one number

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&image) && image[id.x] > 0.0) {
        atomicAdd(&total[0], id.x);
    }
}
