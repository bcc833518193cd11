// diagnosis: zero
// title: Every element is 0.
// why: Each element was written, but no element of x reached it. Either you wrote before the loop
//   had run, or you wrote a different variable from the one you summed up in.
// ask: At the moment when you write to out, what does your variable hold?
// The sum is what the loop returns.
struct Dims {
    rows: u32,
    cols: u32,
}
@group(0) @binding(0) var<uniform> dims: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.x;
    if (row >= dims.rows) {
        return;
    }
    var sum = 0.0;
    out[row] = sum;
    for (var col = 0u; col < dims.cols; col++) {
        sum += x[row * dims.cols + col];
    }
}
