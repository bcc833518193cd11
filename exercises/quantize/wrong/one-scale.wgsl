// diagnosis: one-scale
// title: All rows were divided by the scale of the first row.
// why: Each row has a scale of its own. With another row's, its numbers don't fit in a byte, or use few steps.
// ask: Word i begins with number 4 * i of x. In which row is that?
// There is a scale.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> scales: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i >= arrayLength(&out)) {
        return;
    }
    let scale = scales[0];
    var word = 0u;
    for (var j = 0u; j < 4u; j++) {
        let q = i32(round(x[i * 4u + j] / scale));
        word |= (u32(q) & 0xffu) << (8u * j);
    }
    out[i] = word;
}
