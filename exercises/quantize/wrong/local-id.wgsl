// diagnosis: local-id
// title: Only the first words were written, as many as a workgroup has invocations.
// why: local_invocation_id starts again at 0 in every workgroup, so all of them wrote the same words.
// ask: Which builtin has a different number in every workgroup?
// The invocation has a number.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> scales: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) local: vec3<u32>) {
    let i = local.x;
    if (i >= arrayLength(&out)) {
        return;
    }
    let scale = scales[i * 4u / dims.cols];
    var word = 0u;
    for (var j = 0u; j < 4u; j++) {
        let q = i32(round(x[i * 4u + j] / scale));
        word |= (u32(q) & 0xffu) << (8u * j);
    }
    out[i] = word;
}
