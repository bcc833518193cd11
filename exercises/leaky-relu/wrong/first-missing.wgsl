// diagnosis: first-missing
// title: Element 0 was never written.
// why: Indices start at 0, as in Go, and so do the numbers of the invocations. Something shifted
//   invocation 0 to another element or held it back.
// ask: Which element does invocation 0 write to?
// Invocation 0 is the host.
struct Params {
    slope: f32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = id.x;
    if (i == 0u || i >= arrayLength(&data)) {
        return;
    }
    if (data[i] < 0.0) {
        data[i] *= params.slope;
    }
}
