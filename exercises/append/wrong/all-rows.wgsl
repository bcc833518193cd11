// diagnosis: every-row
// title: Every row of the cache became x.
// why: The other rows hold the keys or values of the earlier letters. They don't change.
// ask: What should row 0 be after letter 2 was added?
// The cache becomes x.
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
        cache[place] = x[id.x];
    }
}
