// diagnosis: every-element
// title: The values are right, but each invocation walks through the elements instead of doing only its own.
// why: A GPU is fast because it starts an invocation for each element and runs many of them at once.
//   If each one walks through all n elements, n invocations take n × n steps: twice as many elements
//   take four times as long, and a large buffer takes minutes.
// ask: This invocation has a number of its own. Which element does the number stand for, and why would it
//   look at any other?
// A loop, as on a CPU.
struct Params {
    n: u32,
    mean: f32,
    stddev: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> pixels: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(256)
fn main() {
    for (var i = 0u; i < params.n; i++) {
        out[i] = (f32(byte_at(i)) / 255.0 - params.mean) / params.stddev;
    }
}

fn byte_at(i: u32) -> u32 {
    var word = pixels[i / 4u];
    for (var k = 0u; k < i % 4u; k++) {
        word >>= 8u;
    }
    return word & 0xffu;
}
