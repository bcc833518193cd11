// diagnosis: bytes-not-elements
// title: Only every fourth element was written.
// why: You multiplied the index by 4, the bytes of an f32. In WGSL an index counts elements. Only
//   the host counts bytes, when it creates buffers.
// ask: Which element should invocation 1 write to?
// An f32 has 4 bytes, so pixel i is 4 * i bytes in.
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = 4u * id.x;
    if (i >= params.n) { return; }
    let byte = (pixels[i / 4u] >> (8u * (i % 4u))) & 0xffu;
    out[i] = (f32(byte) / 255.0 - params.mean) / params.stddev;
}
