// diagnosis: others-cleared
// title: The other rows were set to 0.
// why: They hold the keys or values of the earlier letters, which the newest letter still needs.
// ask: What does the model still need to know about letter 0?
// The rest is empty.
struct Params {
    n: u32,
    at: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>; // n
@group(0) @binding(2) var<storage, read_write> cache: array<f32>; // rows × n

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= params.n) {
        return;
    }
    for (var place = id.x; place < arrayLength(&cache); place += params.n) {
        cache[place] = select(0.0, x[id.x], place / params.n == params.at);
    }
}
