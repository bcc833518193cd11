// diagnosis: every-element
// title: The values are right, but each invocation walks through the elements instead of doing only
//   its own.
// why: A GPU is fast because it starts an invocation for each element and runs many of them at
//   once. If each one walks through all n elements, n invocations take n × n steps: twice as many
//   elements take four times as long, and a large buffer takes minutes.
// ask: This invocation has a number of its own. Which element does the number stand for, and why
//   would it look at any other?
// The loop finds the number that is mine.
struct Params {
    n: u32,
    at: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> cache: array<f32>; // rows × n

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = 0u; i < params.n; i++) {
        if (i == id.x) {
            cache[params.at * params.n + i] = x[i];
        }
    }
}
