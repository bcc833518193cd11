// diagnosis: floors
// title: The numbers were rounded down.
// why: floor(2.9) is 2, and floor(-2.1) is -3. Every number moves down, so the errors add up in a long sum.
// ask: Which whole number is nearest to 2.9?
// Down to a whole number.
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
    let scale = scales[i * 4u / dims.cols];
    var word = 0u;
    for (var j = 0u; j < 4u; j++) {
        let q = i32(floor(x[i * 4u + j] / scale));
        word |= (u32(q) & 0xffu) << (8u * j);
    }
    out[i] = word;
}
