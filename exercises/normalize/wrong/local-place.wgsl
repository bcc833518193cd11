// diagnosis: local-place
// title: All workgroups wrote to the elements of the first one.
// why: local_invocation_id starts again at 0 in every workgroup. You use it as the index to write
//   to, so the workgroups overwrite each other's elements and never reach the rest.
// ask: Which builtin keeps counting from one workgroup to the next?
// The number is global, the place is mine in the group.
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let i = id.x;
    if (i >= params.n) { return; }
    let byte = (pixels[i / 4u] >> (8u * (i % 4u))) & 0xffu;
    out[local.x] = (f32(byte) / 255.0 - params.mean) / params.stddev;
}
