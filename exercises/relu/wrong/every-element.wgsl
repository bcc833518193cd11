// diagnosis: every-element
// title: The values are right, but each invocation walks through the elements instead of doing only its own.
// why: A GPU is fast because it starts an invocation for each element and runs many of them at once.
//   If each one walks through all n elements, n invocations take n × n steps: twice as many elements
//   take four times as long, and a large buffer takes minutes.
// ask: This invocation has a number of its own. Which element does the number stand for, and why would it
//   look at any other?
// The loop finds the element that is mine.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var i = 0u; i < arrayLength(&data); i++) {
        if (i == id.x) {
            data[i] = max(data[i], 0.0);
        }
    }
}
